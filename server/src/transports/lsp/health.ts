import { pageLink } from '../../../protocol/pageLinks';
import type { ToolInput } from '../../../protocol/requests';
import type { CancellationToken } from '../../base/cancellation';
import { askFeature } from '../asking';
import { newIdempotencyKey } from '../callers';
import { healthMarkdown } from './healthMarkdown';
import type { Questions } from './questions';

/** Health of every folder as Markdown and as data. */
export async function healthReport(
  questions: Questions,
  token: CancellationToken,
): Promise<{ readonly markdown: string; readonly folders: readonly unknown[] }> {
  const folders: unknown[] = [];
  const parts: string[] = [];
  const first = questions.folders.all[0]?.uri ?? '';
  for (const folder of questions.folders.all) {
    const opened = await folder.opening;
    if (!opened.ok) {
      folders.push({ folder: folder.name, uri: folder.uri, error: opened.error });
      parts.push(`# ${folder.name}\n\n${opened.error.message}`);
      continue;
    }
    const gateway = opened.value;
    const call = {
      name: 'graph_health',
      input: { profile: 'debug' } satisfies ToolInput<'graph_health'>,
      caller: questions.caller,
      idempotencyKey: newIdempotencyKey(),
    };
    const answer = await gateway.callTool(call, token);
    folders.push({ folder: folder.name, uri: folder.uri, health: await gateway.health(), answer: answer.envelope });
    const figures = await askFeature(gateway, 'health', {}, questions.caller, token);
    parts.push(
      figures.ok ? healthMarkdown(folder.name, figures.value, (path, line) => pageLink(first, folder.uri, path, line)) : `# ${folder.name}\n\n${answer.text}`,
    );
  }
  return { markdown: parts.length === 0 ? 'No folder is open.' : parts.join('\n\n'), folders };
}
