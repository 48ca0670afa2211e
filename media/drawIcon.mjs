/** Draws media/icon.png (128 × 128): the mark of lattice.svg in color. Run it after changing the mark. */
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const SIZE = 128;
/** Samples per pixel and direction. */
const SAMPLES = 4;
const NODES = [
  { x: 34, y: 32, radius: 10.5, color: [125, 211, 252] },
  { x: 94, y: 32, radius: 10.5, color: [125, 211, 252] },
  { x: 34, y: 96, radius: 10.5, color: [125, 211, 252] },
  { x: 94, y: 96, radius: 10.5, color: [125, 211, 252] },
  { x: 64, y: 64, radius: 14, color: [255, 184, 77] },
];
const EDGES = [
  [0, 4],
  [1, 4],
  [2, 4],
  [3, 4],
  [0, 1],
  [2, 3],
  [0, 2],
  [1, 3],
];
const EDGE_WIDTH = 4.5;
const EDGE_COLOR = [92, 124, 170];
const CORNER = 26;

/** Color and coverage at a point, the last shape that holds it on top. */
function colorAt(x, y) {
  if (!insideRoundedSquare(x, y)) return [0, 0, 0, 0];
  for (const node of [...NODES].reverse()) if (Math.hypot(x - node.x, y - node.y) <= node.radius) return [...node.color, 255];
  for (const [a, b] of EDGES) if (distanceToSegment(x, y, NODES[a], NODES[b]) <= EDGE_WIDTH / 2) return [...EDGE_COLOR, 255];
  const shade = y / SIZE;
  return [22 - 8 * shade, 34 - 12 * shade, 58 - 18 * shade, 255];
}

function insideRoundedSquare(x, y) {
  const dx = Math.max(CORNER - x, x - (SIZE - CORNER), 0);
  const dy = Math.max(CORNER - y, y - (SIZE - CORNER), 0);
  return Math.hypot(dx, dy) <= CORNER;
}

function distanceToSegment(x, y, a, b) {
  const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const along = Math.max(0, Math.min(1, ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length));
  return Math.hypot(x - a.x - along * (b.x - a.x), y - a.y - along * (b.y - a.y));
}

function pixel(column, row) {
  const sum = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const [red, green, blue, alpha] = colorAt(column + ((sample % SAMPLES) + 0.5) / SAMPLES, row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES);
    sum[0] += red * alpha;
    sum[1] += green * alpha;
    sum[2] += blue * alpha;
    sum[3] += alpha;
  }
  const alpha = sum[3] / (SAMPLES * SAMPLES);
  return sum[3] === 0 ? [0, 0, 0, 0] : [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3], alpha].map(Math.round);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8);
const rows = Array.from({ length: SIZE }, (_, row) => [0, ...Array.from({ length: SIZE }, (_, column) => pixel(column, row)).flat()]);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const image = Buffer.concat([
  signature,
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(new URL('icon.png', import.meta.url), image);
