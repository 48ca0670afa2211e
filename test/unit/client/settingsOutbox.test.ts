import { expect, test } from 'vitest';
import { SettingsOutbox } from '../../../client/src/languageClient/settingsOutbox';

function counted(): { outbox: SettingsOutbox; sent: () => number } {
  let sent = 0;
  return { outbox: new SettingsOutbox(() => sent++), sent: () => sent };
}

test('a change reaches a running server at once', () => {
  const { outbox, sent } = counted();
  outbox.changed('running');
  expect(sent()).toBe(1);
});

test('what changes while the server starts is sent once, when it runs', () => {
  const { outbox, sent } = counted();
  outbox.changed('starting');
  outbox.changed('starting');
  expect(sent()).toBe(0);
  outbox.running();
  outbox.running();
  expect(sent()).toBe(1);
});

test.each(['off', 'stopped'] as const)('a server that is %s is given all settings when it starts', state => {
  const { outbox, sent } = counted();
  outbox.changed('starting');
  outbox.changed(state);
  outbox.running();
  expect(sent()).toBe(0);
});
