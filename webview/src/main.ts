/**
 * The page. Knows nothing of VS Code or of files: it is handed data and shows it.
 * Surface `report`: a self-contained HTML file whose data lies in the page itself.
 */
import type { ReportData } from '../../server/protocol/report';
import { ReportPage } from './panels/reportPage';
import './style.css';

function boot(): void {
  const root = document.getElementById('app');
  const data = document.getElementById('lattice-report')?.textContent;
  if (root === null || data === null || data === undefined) return;
  new ReportPage(root, JSON.parse(data) as ReportData).show();
}

boot();
