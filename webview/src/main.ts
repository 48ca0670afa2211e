/**
 * The page. Knows nothing of VS Code or of files: it is handed data and shows it.
 * Surface `report`: a self-contained HTML file whose data lies in the page itself.
 * Surface `graph`: the panel in the editor, which asks the extension for scenes.
 */
import type { ReportData } from '../../server/protocol/report';
import { GraphPanel } from './panels/graph/graphPanel';
import { ReportPage } from './panels/reportPage';
import './style.css';
import './graph.css';

function boot(): void {
  const root = document.getElementById('app');
  if (root === null) return;
  if (document.body.dataset['surface'] === 'graph') {
    new GraphPanel(root).start();
    return;
  }
  const data = document.getElementById('lattice-report')?.textContent;
  if (data === null || data === undefined) return;
  new ReportPage(root, JSON.parse(data) as ReportData).show();
}

boot();
