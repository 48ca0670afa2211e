/** Entry of `dist/mcp.js`: `lattice mcp`, run by the bundle of the command line beside it. Takes the same flags. */
if (process.argv[2] !== 'mcp') process.argv.splice(2, 0, 'mcp');
void import('./cliMain');
