import type { Framework, Verb } from '../../framework';

const verbs = (least = 1): Readonly<Record<string, Verb>> =>
  Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map(name => [name, { method: name.toUpperCase(), path: [0, 'path', 'rule', 'uri'], least } satisfies Verb]),
  );

const GET_ONLY = ['GET'];

export const FLASK: Framework = {
  name: 'flask',
  makers: {
    'flask.Flask': { isRoot: true },
    'quart.Quart': { isRoot: true },
    'flask.Blueprint': { prefix: 'url_prefix' },
    'flask.blueprints.Blueprint': { prefix: 'url_prefix' },
    'quart.Blueprint': { prefix: 'url_prefix' },
    'flask_smorest.Blueprint': { prefix: 'url_prefix' },
    'flask_openapi3.APIBlueprint': { prefix: 'url_prefix' },
    'flask_openapi3.OpenAPI': { isRoot: true },
    'apiflask.APIFlask': { isRoot: true },
    'apiflask.APIBlueprint': { prefix: 'url_prefix' },
  },
  types: ['flask.Flask', 'flask.Blueprint'],
  verbs: {
    ...verbs(),
    route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'rule'] },
    add_url_rule: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'rule'], handler: ['view_func', 2], views: true },
  },
  mounts: {
    register_blueprint: { child: [0, 'blueprint', 'blp'], path: 'url_prefix', replaces: true },
    register_api: { child: 0, path: 'url_prefix', replaces: true },
  },
  starts: ['run'],
};

/** Resources of Flask-RESTful and Flask-RESTX; their methods are routes, see the reader. */
export const FLASK_RESTFUL: Framework = {
  name: 'flask-restful',
  makers: {
    'flask_restful.Api': { prefix: 'prefix' },
    'flask_restx.Api': { prefix: 'prefix' },
    'flask_restplus.Api': { prefix: 'prefix' },
    'flask_restx.Namespace': { prefix: 'path' },
    'flask_restplus.Namespace': { prefix: 'path' },
  },
  types: [],
  verbs: {},
  mounts: { add_namespace: { child: 0, path: ['path', 1], replaces: true } },
};

export const FASTAPI: Framework = {
  name: 'fastapi',
  makers: {
    'fastapi.FastAPI': { isRoot: true },
    'fastapi.APIRouter': { prefix: 'prefix' },
    'fastapi.routing.APIRouter': { prefix: 'prefix' },
    'fastapi.applications.FastAPI': { isRoot: true },
  },
  types: ['fastapi.FastAPI', 'fastapi.APIRouter'],
  verbs: {
    ...verbs(),
    api_route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'] },
    route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'] },
    add_api_route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'], handler: ['endpoint', 1] },
    add_route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'], handler: ['route', 1] },
  },
  mounts: {
    include_router: { child: [0, 'router'], path: 'prefix' },
    mount: { child: [1, 'app'], path: [0, 'path'] },
  },
  selves: ['router'],
};

export const AIOHTTP: Framework = {
  name: 'aiohttp',
  makers: { 'aiohttp.web.Application': { isRoot: true }, 'aiohttp.web.RouteTableDef': {} },
  types: ['aiohttp.web.Application', 'aiohttp.web.UrlDispatcher'],
  verbs: {
    ...verbs(),
    add_get: { method: 'GET', handler: 1 },
    add_post: { method: 'POST', handler: 1 },
    add_put: { method: 'PUT', handler: 1 },
    add_patch: { method: 'PATCH', handler: 1 },
    add_delete: { method: 'DELETE', handler: 1 },
    add_route: { method: { at: 0, otherwise: ['ANY'] }, path: 1, handler: 2 },
  },
  mounts: { add_routes: { child: 0 }, add_subapp: { child: 1, path: 0 } },
  selves: ['router'],
};

export const SANIC: Framework = {
  name: 'sanic',
  makers: {
    'sanic.Sanic': { isRoot: true },
    'sanic.Blueprint': { prefix: 'url_prefix', version: 'version' },
    'sanic.Blueprint.group': { prefix: 'url_prefix', version: 'version', takesIn: true },
    'bottle.Bottle': { isRoot: true },
  },
  types: ['sanic.Sanic'],
  verbs: {
    ...verbs(),
    route: { method: { at: ['methods', 'method'], otherwise: GET_ONLY }, path: [0, 'uri'] },
    add_route: { method: { at: 'methods', otherwise: GET_ONLY }, path: 1, handler: 0 },
  },
  mounts: { blueprint: { child: 0, path: 'url_prefix', replaces: true }, mount: { child: 1, path: 0 } },
  starts: ['run'],
};

export const STARLETTE: Framework = {
  name: 'starlette',
  makers: { 'starlette.applications.Starlette': { isRoot: true }, 'starlette.routing.Router': {} },
  types: ['starlette.applications.Starlette'],
  verbs: {
    route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'] },
    add_route: { method: { at: 'methods', otherwise: GET_ONLY }, path: [0, 'path'], handler: 1 },
  },
  mounts: { mount: { child: 1, path: 0 } },
};
