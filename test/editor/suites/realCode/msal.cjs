'use strict';
module.exports = require('./asks.cjs')({ file: 'src/cache/CacheManager.ts', declaration: 'export abstract class CacheManager', name: 'CacheManager' });
