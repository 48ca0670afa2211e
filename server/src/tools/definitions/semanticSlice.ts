import { z } from 'zod';
import { ok } from '../../base/result';
import { SLICE_CONTEXTS, type SliceAnswer, slice, sliceProblem } from '../../features/explain/slice';
import { joinHints, paramRef, phrase } from '../../model/hints';
import { estimateTokens, fillSlot } from '../shaping';
import { defineTool } from '../tool';
import { block, candidateHint, failure, rowsIn, staleMark, textIn } from './outcome';

/** Tokens that an answer takes beside the code. */
const OVERHEAD = 110;
/** Share of the budget for the outline. */
const OUTLINE_SHARE = 0.4;
const SIGNATURE_LENGTH = 80;

export const semanticSlice = defineTool({
  name: 'semantic_slice',
  title: 'Get source of a symbol',
  description:
    'Get the exact, complete source of a symbol with line numbers, fresh from disk; with-deps adds callers and callees, full also decisions. Use instead of reading a file when you need one function or class. If it does not fit, you get its signature and outline, and the budget it needs.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  aliases: { target: 'symbol', node_id: 'symbol', path: 'file' },
  input: z.object({
    symbol: z.string().optional().describe('ID, Class.method or name'),
    file: z.string().optional().describe('Path. Without symbol: the outline of the file'),
    query: z.string().optional().describe('Keywords, if the name is not known'),
    context: z.enum(SLICE_CONTEXTS).default('body'),
  }),
  fields: [
    { key: 'id', priority: 'required', description: 'ID of the symbol or file' },
    { key: 'file', priority: 'required', description: 'Path' },
    { key: 'startLine', priority: 'required', description: 'First line' },
    { key: 'endLine', priority: 'required', description: 'Last line' },
    { key: 'symbolName', priority: 'required', description: 'Name' },
    { key: 'code', priority: 'required', description: 'Complete source, or the signature if elided' },
    { key: 'elided', priority: 'required', description: 'True if code is only the signature' },
    { key: 'stale', priority: 'required', description: 'True when the file has changed: code is current, the rest may be older' },
    { key: 'incomingCallers', priority: 'high', description: 'At most ten callers' },
    { key: 'outgoingCalls', priority: 'high', description: 'At most ten callees' },
    { key: 'relevantDecisions', priority: 'medium', description: 'With full: the 3 newest decisions about it: id, content, timestamp' },
    { key: 'relevantLearnings', priority: 'medium', description: 'With full: the 3 surest learnings about it: id, content, confidence' },
    { key: 'outline', priority: 'medium', description: 'Signatures of members, with lines' },
    { key: 'candidates', priority: 'low', description: 'Other symbols with that name' },
  ],

  check: sliceProblem,

  async handle(context, input, token) {
    const { symbol, file, query } = input;
    const found = await slice(
      context.workspace,
      {
        context: input.context,
        ...(symbol === undefined ? {} : { symbol }),
        ...(file === undefined ? {} : { file }),
        ...(query === undefined ? {} : { query }),
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const others = candidateHint(answer.guessed, answer.symbol.id, answer.candidates);
    const needed = estimateTokens(answer.code) + OVERHEAD + (others === undefined ? 0 : estimateTokens(others));
    const isElided = needed > context.maxTokens;
    const outline = isElided || answer.symbol.kind === 'file' ? fillSlot(answer.outline, estimateTokens, context.maxTokens * OUTLINE_SHARE).selected : [];
    const cutOutline = outline.length > 0 && outline.length < answer.outline.length;
    const hints = [
      isElided
        ? phrase`The complete source needs about ${needed} tokens. Use ${paramRef('maxTokens', Math.ceil(needed / 100) * 100)} or a larger ${paramRef('profile')}.`
        : undefined,
      cutOutline
        ? phrase`The outline shows ${outline.length} of ${answer.outline.length} symbols. Use a larger ${paramRef('profile')} for all of them.`
        : undefined,
      others,
    ].filter(text => text !== undefined);
    return ok({
      summary: summaryOf(answer, isElided),
      data: {
        id: answer.symbol.id,
        file: answer.symbol.path,
        startLine: answer.symbol.startLine,
        endLine: answer.symbol.endLine,
        symbolName: answer.symbol.name,
        code: isElided || input.context === 'signature' ? signatureOf(answer) : answer.code,
        ...(isElided ? { elided: true } : {}),
        ...staleMark(answer.symbol),
        incomingCallers: answer.incomingCallers,
        outgoingCalls: answer.outgoingCalls,
        outline,
        relevantDecisions: answer.relevantDecisions,
        relevantLearnings: answer.relevantLearnings,
        candidates: answer.candidates,
      },
      stamp: answer.stamp,
      ...(hints.length === 0 ? {} : { hint: joinHints(hints) }),
    });
  },

  render(data) {
    const list = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    const code = typeof data['code'] === 'string' ? data['code'] : '';
    const memories = (key: string): string[] => rowsIn(data, key).map(row => `${textIn(row, 'id')} ${textIn(row, 'content')}`);
    return [
      ...(code === '' ? [] : [code]),
      ...list('outline'),
      ...block('Called by', list('incomingCallers')),
      ...block('Calls', list('outgoingCalls')),
      ...block('Decisions', memories('relevantDecisions')),
      ...block('Learnings', memories('relevantLearnings')),
    ].join('\n');
  },
});

function signatureOf({ signature, symbol }: SliceAnswer): string {
  return signature !== '' && signature.length <= SIGNATURE_LENGTH ? signature : `${symbol.kind} ${symbol.name}`;
}

function summaryOf({ symbol, summary }: SliceAnswer, isElided: boolean): string {
  if (symbol.kind === 'file') return summary === 'no symbols' ? `${symbol.path} has no symbols. Read the file instead.` : `${symbol.path} ${summary}.`;
  return `${symbol.path}:${symbol.startLine}-${symbol.endLine} ${symbol.kind} ${symbol.name}${symbol.stale === true ? ', changed since it was indexed' : ''}${isElided ? `, elided${summary === '' ? '' : `: ${summary}`}` : ''}.`;
}
