import { commands, Location, Position, Uri, window } from 'vscode';
import type { PlacesTarget } from '../../../server/protocol/editorCommands';
import { uriOf } from '../answers';

/** Opens the one place that code leads to in other services, or lists several above the line that they belong to. */
export async function showServicePlaces(argument: unknown): Promise<void> {
  const { file, folder, line, places } = argument as PlacesTarget;
  const root = Uri.parse(folder);
  const locations = places.map(place => new Location(uriOf(root, place.file), new Position(Math.max(0, place.line - 1), 0)));
  const [only] = locations;
  if (locations.length === 1 && only !== undefined) {
    await window.showTextDocument(only.uri, { selection: only.range });
    return;
  }
  const at = new Position(Math.max(0, line - 1), 0);
  await commands.executeCommand('editor.action.peekLocations', uriOf(root, file), at, locations, 'peek');
}
