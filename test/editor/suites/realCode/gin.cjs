'use strict';
module.exports = require('./asks.cjs')({ file: 'gin.go', declaration: 'func (engine *Engine) handleHTTPRequest(', name: 'handleHTTPRequest' });
