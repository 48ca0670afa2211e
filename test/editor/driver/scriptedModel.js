/**
 * A chat model without a network. Given tools and a question with "use a tool" it calls the first tool whose name the question holds;
 * given a tool's result, or facts, it says them back; asked to fail it fails. What it was sent goes to `<results>/model.json`.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const VENDOR = 'lattice-test';
const MODEL = {
  id: 'scripted',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
  isUserSelectable: true,
};

const textOf = message => message.content.map(part => part.value ?? (part.content ?? []).map(inner => inner.value ?? '').join('')).join('\n');
const firstLine = text => text.trim().split('\n')[0];

exports.registerScriptedModel = results => {
  if (typeof vscode.lm?.registerLanguageModelChatProvider !== 'function') return { dispose() {} };
  return vscode.lm.registerLanguageModelChatProvider(VENDOR, {
    provideLanguageModelChatInformation: () => [MODEL],
    provideTokenCount: async (_model, text) => Math.ceil((typeof text === 'string' ? text : textOf(text)).length / 4),
    provideLanguageModelChatResponse: async (_model, messages, options, progress) => {
      const texts = messages.map(textOf);
      const tools = (options.tools ?? []).map(tool => tool.name);
      fs.writeFileSync(path.join(results, 'model.json'), JSON.stringify({ texts, tools }));
      const last = messages.at(-1);
      const result = last.content.find(part => part instanceof vscode.LanguageModelToolResultPart);
      if (result !== undefined) {
        progress.report(new vscode.LanguageModelTextPart(`The tool says: ${firstLine(textOf(last))}`));
        return;
      }
      const question = texts.at(-1);
      if (/the model fails/.test(question)) throw vscode.LanguageModelError.Blocked('no model today');
      const wanted = /use a tool/.test(question) ? (options.tools ?? []).find(tool => question.includes(tool.name)) : undefined;
      if (wanted !== undefined) {
        const input = JSON.parse(/with (\{.*\})/.exec(question)?.[1] ?? '{}');
        progress.report(new vscode.LanguageModelToolCallPart('call-1', wanted.name, input));
        return;
      }
      const facts = /Facts from Lattice:\s+(.*)/.exec(question)?.[1] ?? 'none';
      progress.report(new vscode.LanguageModelTextPart(`In prose: ${facts}`));
    },
  });
};
