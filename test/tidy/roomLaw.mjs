/** What the table of rooms in law.cjs says of imports. Pure: paths and tables in, sentences out. */

/** The room that a file of server/src is in: the innermost one around it. */
export function roomOf(rooms, path) {
  return Object.keys(rooms)
    .filter(room => path.startsWith(`server/src/${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Violations of the law, one sentence each.
 * @param law `{ rooms, nodeRooms, libraries }`
 * @param imports `{ from, to, core, library }` each: `from` a path, `to` a path of the repository, `core` whether it is a module of Node,
 *   `library` the name of a package or ''
 */
export function roomViolations({ rooms, nodeRooms, libraries }, imports) {
  const violations = new Set();
  const used = new Set();
  const node = new Set();
  const held = new Set();
  for (const { from, to, core, library } of imports) {
    if (!from.startsWith('server/src/')) continue;
    const room = roomOf(rooms, from);
    if (room === undefined) {
      violations.add(`${from} is in no room: every folder of server/src takes a row in law.cjs`);
      continue;
    }
    if (core) {
      if (!nodeRooms.includes(room)) violations.add(`${from} imports ${to}: Node belongs to the rooms of nodeRooms`);
      node.add(room);
    } else if (library !== '' && library in libraries) {
      if (!libraries[library].includes(room) && room !== 'main') violations.add(`${from} imports ${library}, which lives in ${libraries[library].join(', ')}`);
      held.add(`${library} ${room}`);
    } else if (to.startsWith('server/src/')) {
      const other = roomOf(rooms, to);
      if (other === room) continue;
      used.add(`${room} ${other}`);
      if (!allows(rooms, room, other)) violations.add(`${from} imports ${to}: ${room} may not import ${other}`);
    }
  }
  for (const [room, allowed] of Object.entries(rooms)) {
    for (const other of allowed) {
      if (other === '*') continue;
      if (!(other in rooms)) violations.add(`law.cjs: ${room} may import ${other}, which is no room`);
      else if (!used.has(`${room} ${other}`)) violations.add(`law.cjs: ${room} may import ${other} and does not`);
    }
  }
  for (const room of nodeRooms) if (!node.has(room)) violations.add(`law.cjs: ${room} may use Node and does not`);
  for (const [library, allowed] of Object.entries(libraries)) {
    for (const room of allowed) if (!held.has(`${library} ${room}`)) violations.add(`law.cjs: ${library} may be imported in ${room} and is not`);
  }
  for (const cycle of cyclesOf(rooms)) violations.add(`law.cjs: rooms in a cycle: ${cycle.join(' → ')}`);
  return [...violations];
}

function allows(rooms, room, other) {
  return rooms[room].includes('*') || rooms[room].includes(other);
}

/** A cycle of rooms for each room that leads back to one it came from. */
function cyclesOf(rooms) {
  const cycles = [];
  const state = new Map();
  const visit = (room, trail) => {
    if (state.get(room) === 'done') return;
    if (state.get(room) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(room)), room]);
      return;
    }
    state.set(room, 'open');
    const next = rooms[room].includes('*') ? Object.keys(rooms).filter(other => other !== room) : rooms[room];
    for (const other of next) if (other in rooms) visit(other, [...trail, room]);
    state.set(room, 'done');
  };
  for (const room of Object.keys(rooms)) visit(room, []);
  return cycles;
}
