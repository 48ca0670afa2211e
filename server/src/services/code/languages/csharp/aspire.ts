/** What a host of .NET Aspire starts: projects and products with their names, and which of them is told the address of which. */

import { basename, dirname, join, type WorkspacePath } from '../../../../base/path';
import { type CallTerm, lineOfPosition, type Term, termName } from '../../../../model/digest';
import { isToCall } from '../../../discovery/configNames';
import type { HostedUnit } from '../../../surface';
import type { Reader, RouteCollector } from '../../collector';
import { own } from '../../own';
import type { Scope } from '../../units';
import { wordOf } from '../../values';

/** Images of the products that a host adds by a method of their own. */
const PRODUCTS: Readonly<Record<string, string>> = {
  AddRedis: 'redis',
  AddValkey: 'valkey',
  AddGarnet: 'redis',
  AddRabbitMQ: 'rabbitmq',
  AddKafka: 'kafka',
  AddNats: 'nats',
  AddPostgres: 'postgres',
  AddAzurePostgresFlexibleServer: 'postgres',
  AddSqlServer: 'mssql',
  AddAzureSqlServer: 'mssql',
  AddMySql: 'mysql',
  AddMongoDB: 'mongo',
  AddOracle: 'oracle',
  AddElasticsearch: 'elasticsearch',
  AddAzureRedis: 'redis',
};
/** Programs that are no projects of .NET, by where their folder is given. */
const PROGRAMS = /^Add(?:NpmApp|NodeApp|ViteApp|JavaScriptApp|PythonApp|PythonModule|UvicornApp|GolangApp|JavaApp|SpringApp|Dockerfile)$/;
const TELLS = /^(?:WithReference|WithEnvironment)$/;
const MAX_CHAIN = 24;

interface Draft extends HostedUnit {
  readonly references: string[];
}

export const aspireReader: Reader = {
  read(collector) {
    const visits = collector.visits.filter(({ scope }) => scope.file.language === 'csharp');
    const hosts = new Set(visits.filter(({ call }) => termName(call.callee) === 'AddProject').map(({ scope }) => scope.file));
    const units = new Map<string, Draft>();
    for (const { call, scope } of visits) {
      if (!hosts.has(scope.file)) continue;
      const unit = unitOf(collector, call, scope);
      if (unit !== undefined && !units.has(unit.name)) units.set(unit.name, unit);
    }
    for (const { call, scope } of visits) {
      if (!hosts.has(scope.file) || !TELLS.test(termName(call.callee)) || call.callee === 0 || call.callee.kind !== 'member') continue;
      if (termName(call.callee) === 'WithEnvironment' && !isToCall(textOf(collector, call.args[0], scope))) continue;
      const teller = units.get(resourceOf(collector, call.callee.owner, scope) ?? '');
      for (const argument of call.args) {
        const told = resourceOf(collector, argument, scope);
        if (teller !== undefined && told !== undefined && told !== teller.name && !teller.references.includes(told)) teller.references.push(told);
      }
    }
    collector.hosted.push(...units.values());
  },
};

function unitOf(collector: RouteCollector, call: CallTerm, scope: Scope): Draft | undefined {
  const method = termName(call.callee);
  const image = own(PRODUCTS, method) ?? '';
  const isProgram = PROGRAMS.test(method);
  if (method !== 'AddProject' && image === '' && !isProgram) return undefined;
  const name = textOf(collector, call.args[0], scope);
  if (name === '') return undefined;
  const type = call.callee !== 0 && call.callee.kind === 'generic' ? call.callee.args[0] : undefined;
  const here = dirname(scope.file.path);
  const path = isProgram || type === undefined ? textOf(collector, call.args[1], scope) : '';
  const folder = path === '' ? undefined : folderOf(here, path);
  const place = { file: scope.file.path, line: lineOfPosition(call.position) + 1 };
  return { name, image, references: [], place, ...(type === undefined ? {} : { project: termName(type) }), ...(folder === undefined ? {} : { folder }) };
}

/** The folder of a program, or of the file of a project. */
function folderOf(here: WorkspacePath, path: string): WorkspacePath | undefined {
  const joined = join(here, path.replaceAll('\\', '/'));
  return joined !== undefined && basename(joined).endsWith('proj') ? dirname(joined) : joined;
}

/** The resource that a chain of calls is about: by what adds it, through variables, and the server that a database is on. */
function resourceOf(collector: RouteCollector, from: Term | undefined, scope: Scope): string | undefined {
  let at = { term: from ?? 0, scope };
  for (let step = 0; step < MAX_CHAIN && at.term !== 0; step++) {
    const { term } = at;
    if (term.kind === 'name') {
      const declared = collector.evaluator.declared(term, at.scope);
      if (declared.term === term) return undefined;
      at = declared;
    } else if (term.kind === 'call') {
      if (unitOf(collector, term, at.scope) !== undefined) return textOf(collector, term.args[0], at.scope);
      const callee: Term = term.callee !== 0 && term.callee.kind === 'generic' ? term.callee.base : term.callee;
      at = { term: callee !== 0 && callee.kind === 'member' ? callee.owner : 0, scope: at.scope };
    } else at = { term: term.kind === 'member' ? term.owner : 0, scope: at.scope };
  }
  return undefined;
}

function textOf(collector: RouteCollector, term: Term | undefined, scope: Scope): string {
  return (collector.evaluator.texts(term ?? 0, scope)[0] ?? []).map(wordOf).join('');
}
