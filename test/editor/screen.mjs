/** What stands on the screen, in words, for the log of a failure. */
const LIMIT_MS = 5000;

/** Never rejects, and takes at most some seconds: the page may be what hangs. */
export async function screenOf(page) {
  const late = new Promise(resolve => setTimeout(resolve, LIMIT_MS, { problem: 'the page does not answer' }));
  const seen = await Promise.race([page.evaluate(read).catch(error => ({ problem: String(error) })), late]);
  const rows = Object.entries(seen).filter(([, what]) => what !== undefined && what.length > 0);
  return `on the screen:\n${rows.map(([name, what]) => `  ${name}: ${typeof what === 'string' ? what : what.join(' | ')}`).join('\n')}`;
}

/** Runs in the page. */
function read() {
  const short = text => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 120);
  const seen = selector => [...document.querySelectorAll(selector)].filter(element => element.getClientRects().length > 0);
  const texts = selector => seen(selector).map(element => short(element.innerText));
  const focus = document.activeElement;
  const box = seen('.quick-input-widget input[type="text"], .quick-input-widget input[type="password"]')[0];
  return {
    focus: `${focus?.tagName.toLowerCase()} ${short(focus?.className)} ${short(focus?.getAttribute('aria-label'))}`,
    'quick input': box && `${texts('.quick-input-title').join()} [${box.value}] ${box.placeholder} ${texts('.quick-input-message').join()}`,
    'its rows': texts('.quick-input-widget .monaco-list-row').slice(0, 8),
    dialog: texts('.monaco-dialog-box'),
    menu: texts('.context-view .monaco-menu'),
    messages: texts('.notification-toast'),
    tabs: texts('.editor-group-container .tab'),
    'side bar': texts('.sidebar .monaco-list-row').slice(0, 20),
    'status bar': texts('.statusbar-item').filter(text => text !== ''),
  };
}
