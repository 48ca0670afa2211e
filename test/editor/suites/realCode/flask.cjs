'use strict';
module.exports = require('./asks.cjs')({ file: 'src/flask/app.py', declaration: 'def full_dispatch_request(', name: 'full_dispatch_request' });
