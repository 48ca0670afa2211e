import type { Binder, Reader } from '../collector';
import type { LanguageTables } from '../framework';
import { muxReader } from './go/mux';
import { GO } from './go/tables';
import { springReader } from './java/spring';
import { JAVA } from './java/tables';
import { bindAutoload } from './javascript/fastify';
import { fileRouteReader } from './javascript/fileRoutes';
import { nestReader } from './javascript/nest';
import { JAVASCRIPT } from './javascript/tables';
import { djangoReader } from './python/django';
import { resourceReader } from './python/resources';
import { PYTHON } from './python/tables';
import { RUST } from './rust/tables';

/** Frameworks, clients and brokers by the family of a language (`model/languages`); a family without a row offers and uses nothing. */
export const TABLES: Readonly<Record<string, LanguageTables>> = { go: GO, java: JAVA, rust: RUST, python: PYTHON, typescript: JAVASCRIPT };

/** What rows of a table cannot say, in the order in which it is read. */
export const READERS: readonly Reader[] = [djangoReader, resourceReader, nestReader, fileRouteReader, muxReader, springReader];
export const BINDERS: readonly Binder[] = [bindAutoload];
