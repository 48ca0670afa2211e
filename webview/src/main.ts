/**
 * The page. Knows nothing of VS Code or of files: it is handed data and shows it.
 * Surface `report`: a self-contained HTML file whose data lies in the page itself.
 * Surface `graph`: the graph, in a panel of the editor or (host `app`) in an agent's chat; asks what is around it for scenes.
 */
import type { ReportData } from '../../server/protocol/features';
import { AppHost } from './appHost';
import { PanelHost } from './host';
import { GraphPanel } from './panels/graph/graphPanel';
import { ReportPage } from './panels/reportPage';
import { followSystemTheme } from './ui/theme';
import './style.css';
import './graph.css';
import './panes.css';
import './legend.css';
import './sheet.css';
import './spread.css';
import './blocks.css';
import './timeline.css';

function boot(): void {
  const root = document.getElementById('app');
  if (root === null) return;
  followSystemTheme();
  if (document.body.dataset['surface'] === 'graph') {
    const isApp = document.body.dataset['host'] === 'app';
    new GraphPanel(root, told => (isApp ? new AppHost(told) : new PanelHost(told))).start();
    return;
  }
  const data = document.getElementById('lattice-report')?.textContent;
  if (data === null || data === undefined) return;
  new ReportPage(root, JSON.parse(data) as ReportData).show();
}

boot();
