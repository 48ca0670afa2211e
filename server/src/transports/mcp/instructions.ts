/** What a client's model is told about the server; below 2 KB because clients cut there, trigger words first because models skim. */
export const INSTRUCTIONS = `Use Lattice to find code, callers, callees, dependents, dependencies, tests of a symbol, the impact or blast radius of a change, where something is defined or used, how parts connect. It answers from a typed graph of this workspace that is kept fresh as files change: prefer it to grep and to reading whole files.

Which tool:
- Starting on a task: context_pack (source, tests and knowledge for it in one call).
- Don't know where it is: search_code (words about what it does, or a name).
- Know the name, want to understand it: code_explain (dependencies, dependents, tests).
- Before changing or deleting it: impact_analyze (who breaks, at what distance, which tests to run).
- Need its source: semantic_slice with profile balanced (the whole function or class, fresh from disk; no need to read the file again).
- Doubt the answer or the state: graph_health.

Targets are paths (src/a.ts), ids (src/a.ts::Class::method), path#symbol, or unique names.
Edges with confidence >= 0.8 are facts; below, they are candidates ("maybe"): a call that could go to several places keeps all of them. Calls into libraries are counted, not listed.
Every answer ends with a stamp: revision, git HEAD, pending files (changed but not yet in the answer), unresolved references at the symbol, unsaved editor files. Nothing is stale without saying so.
Answers are small: raise profile (compact, balanced, debug) or maxTokens for more, pass data.nextCursor as cursor for the next page. On an error follow its hint; NOT_READY means the first index is still running: ask again in a few seconds.`;
