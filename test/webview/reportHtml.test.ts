import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderReportHtml } from '../../server/src/transports/cli/reportHtml';

const HOSTILE = '</script><script>alert(1)</script><!-- \u2028 <img src=x onerror=alert(1)>';

test('Only the script of the page may run, whatever the workspace is called and holds', () => {
  const page = renderReportHtml({
    data: { name: HOSTILE },
    title: HOSTILE,
    script: 'const a =\r\n"</script><!--";',
    style: 'b{}</style><script>alert(2)</script>',
  });
  const scripts = [...page.matchAll(/<script(?<attributes>[^>]*)>(?<body>[^]*?)<\/script>/g)].map(({ groups }) => groups);
  const style = /<style>(?<body>[^]*?)<\/style>/.exec(page)?.groups?.['body'] ?? '';
  expect(style).toContain('alert(2)');
  const outside = scripts.filter(found => !style.includes(found?.['body'] ?? ''));
  expect(outside.map(found => found?.['attributes'])).toEqual([' type="application/json" id="lattice-report"', '']);
  expect(JSON.parse(outside[0]?.['body'] ?? '')).toEqual({ name: HOSTILE });
  const hash = createHash('sha256')
    .update(outside[1]?.['body'] ?? '')
    .digest('base64');
  expect(outside[1]?.['body']).not.toContain('\r');
  expect(page).toContain(`script-src 'sha256-${hash}';`);
  expect(page).not.toContain('<img');
});
