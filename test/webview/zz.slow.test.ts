import { test } from 'vitest';
import { openBrowser } from '../helpers/browser';
import { bigShop } from '../helpers/bigShop';
import { GraphPage } from '../helpers/graphPage';
import { workspaceOf } from '../helpers/workspaceOf';
test('shots', async () => {
  const browser = await openBrowser();
  const workspace = workspaceOf(bigShop({ areas: 6, filesPerArea: 4, functionsPerFile: 6, calls: 2 }));
  const shots = JSON.parse(process.env['SHOTS'] ?? '[]') as any[];
  for (const [name, query, theme, size] of shots) {
    const page = await GraphPage.open(browser, { workspace, query, theme, size });
    await page.page.waitForTimeout(400);
    await page.page.screenshot({ path: `/tmp/h6/${name}.png` });
    console.log(name, page.complaints.slice(0, 8));
    await page.page.close();
  }
  await browser.close();
});
