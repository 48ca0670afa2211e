/** What code offers and uses is read again only for the languages in which something has changed, and comes out as if all was read anew. */
import { expect, test } from 'vitest';
import { runAtOnce } from '../../server/src/base/steps';
import { CodeSurfaces, type SurfaceSources } from '../../server/src/services/code/codeSurface';
import { type CodeSurface, withQueueBindings } from '../../server/src/services/surface';
import { readingTexts, type TextsRead, wordsOf } from '../helpers/surfaceOf';

const flask = (path: string): string => `from flask import Flask\n\napp = Flask(__name__)\n\n@app.get('${path}')\ndef show():\n    return ''\n`;
const express = (path: string): string => `import express from 'express';\nconst app = express();\napp.get('${path}', (req, res) => res.end());\n`;
const NONE = new Map<string, string>();

/** The same texts, in which files of a language cannot be read any more: who reads them fails. */
function withoutDigests({ digests, graph }: TextsRead, ...endings: readonly string[]): SurfaceSources {
  return {
    graph,
    digests: digests.map(([path, digest]) => [path, endings.some(ending => path.endsWith(ending)) ? 'unreadable' : digest]),
    configurations: NONE,
  };
}

const read = (surfaces: CodeSurfaces, sources: SurfaceSources, how?: { readonly isKept: boolean }): CodeSurface => runAtOnce(surfaces.read(sources, how));
const anew = (texts: TextsRead): CodeSurface => read(new CodeSurfaces(), { ...texts, configurations: NONE });

test('a changed file leaves what files of other languages say', async () => {
  const at = readingTexts();
  const surfaces = new CodeSurfaces();
  read(surfaces, {
    ...(await at(
      new Map([
        ['a.py', flask('/orders')],
        ['b.ts', express('/bills')],
      ]),
    )),
    configurations: NONE,
  });
  const changed = await at(
    new Map([
      ['a.py', flask('/edited')],
      ['b.ts', express('/bills')],
    ]),
  );
  expect(() => read(new CodeSurfaces(), withoutDigests(changed, '.ts'))).toThrow();
  const surface = read(surfaces, withoutDigests(changed, '.ts'));
  expect(surface.routes.map(({ path }) => path).toSorted()).toEqual(['/bills', '/edited']);
  expect(surface).toEqual(anew(changed));
  const gone = await at(new Map([['b.ts', express('/bills')]]));
  expect(read(surfaces, withoutDigests(gone, '.ts'))).toEqual(anew(gone));
});

test('a file that another one of its language refers to is enough to read both again', async () => {
  const at = readingTexts();
  const surfaces = new CodeSurfaces();
  const app = "from flask import Flask\nfrom paths import ORDERS\n\napp = Flask(__name__)\n\n@app.get(ORDERS)\ndef show():\n    return ''\n";
  const state = (path: string): Promise<TextsRead> =>
    at(
      new Map([
        ['app.py', app],
        ['paths.py', `ORDERS = '${path}'\n`],
      ]),
    );
  expect(read(surfaces, { ...(await state('/orders')), configurations: NONE }).routes.map(({ path }) => path)).toEqual(['/orders']);
  expect(read(surfaces, { ...(await state('/edited')), configurations: NONE }).routes.map(({ path }) => path)).toEqual(['/edited']);
});

test('what was typed and not saved is not kept', async () => {
  const at = readingTexts();
  const surfaces = new CodeSurfaces();
  const saved = await at(new Map([['a.py', flask('/orders')]]));
  read(surfaces, { ...saved, configurations: NONE });
  const typed = await readingTexts()(new Map([['a.py', flask('/typed')]]));
  expect(read(surfaces, { ...typed, configurations: NONE }, { isKept: false }).routes.map(({ path }) => path)).toEqual(['/typed']);
  expect(read(surfaces, withoutDigests(saved, '.py')).routes.map(({ path }) => path)).toEqual(['/orders']);
});

test('what another process read is taken over by language', async () => {
  const at = readingTexts();
  const first = await at(
    new Map([
      ['a.py', flask('/orders')],
      ['b.ts', express('/bills')],
    ]),
  );
  const surfaces = new CodeSurfaces();
  runAtOnce(surfaces.adopt(anew(first), { ...first, configurations: NONE }));
  expect(read(surfaces, withoutDigests(first, '.ts', '.py'))).toEqual(anew(first));
  const changed = await at(
    new Map([
      ['a.py', flask('/edited')],
      ['b.ts', express('/bills')],
    ]),
  );
  expect(read(surfaces, withoutDigests(changed, '.ts'))).toEqual(anew(changed));
});

test('other texts of configuration change what all languages say', async () => {
  const texts = await readingTexts()(
    new Map([
      [
        'src/main/java/A.java',
        '@org.springframework.web.bind.annotation.RestController class A { @org.springframework.web.bind.annotation.GetMapping("${orders.path}") void show() {} }',
      ],
    ]),
  );
  const surfaces = new CodeSurfaces();
  const configured = (path: string): ReadonlyMap<string, string> => new Map([['src/main/resources/application.properties', `orders.path=${path}\n`]]);
  expect(read(surfaces, { ...texts, configurations: configured('/orders') }).routes.map(({ path }) => path)).toEqual(['/orders']);
  expect(read(surfaces, { ...texts, configurations: configured('/edited') }).routes.map(({ path }) => path)).toEqual(['/edited']);
});

test('who consumes from a queue has what code of another language binds it to, as long as that does', async () => {
  const at = readingTexts();
  const surfaces = new CodeSurfaces();
  const consumer =
    "import pika\n\ndef run(channel: pika.channel.Channel):\n    channel = pika.BlockingConnection().channel()\n    channel.basic_consume(queue='orders', on_message_callback=print)\n";
  const bound = (key: string): string =>
    `import amqp from 'amqplib';\nexport async function bind() {\n  const channel = await (await amqp.connect('amqp://mq')).createChannel();\n  await channel.bindQueue('orders', 'shop', '${key}');\n}\n`;
  const consumed = async (key: string): Promise<readonly string[]> => {
    const surface = read(surfaces, {
      ...(await at(
        new Map([
          ['a.py', consumer],
          ['b.ts', bound(key)],
        ]),
      )),
      configurations: NONE,
    });
    return wordsOf(withQueueBindings(surface)).filter(line => line.startsWith('event consume'));
  };
  expect(await consumed('order.placed')).toEqual(['event consume orders order.placed <- a.py::run']);
  expect(await consumed('order.paid')).toEqual(['event consume orders order.paid <- a.py::run']);
});
