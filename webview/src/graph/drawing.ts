/** What the canvas draws: plain data, already placed. */
import { familyOf } from '../ui/theme';
import type { Rect } from './layout/layoutTypes';

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly frames: readonly DrawnFrame[];
}

export interface DrawnNode {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly classes: readonly string[];
  readonly position: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;
  /** Importance, 0 to 1. */
  readonly weight?: number;
  /** When colors tell areas apart: which color, if any, and the letters that say the same. */
  readonly area?: { readonly place: number | undefined; readonly letters: string };
}

export interface DrawnEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly classes: readonly string[];
  readonly width: number;
  /** Where it runs, in SVG, when that is not straight between its ends. */
  readonly path?: string;
}

/** A frame around an opened group. */
export interface DrawnFrame {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly rect: Rect;
  /** Nodes that it holds. */
  readonly size?: number;
}

const MAX_LABEL_LENGTH = 28;
const CHARACTER = 6.9;
const ICON = 22;

export function sizeOf(label: string): { readonly width: number; readonly height: number } {
  const lines = label.split('\n');
  const longest = Math.max(...lines.map(lengthOf));
  return { width: Math.max(72, Math.round(longest * CHARACTER) + ICON + 20), height: lines.length > 1 ? 46 : 30 };
}

/** Letters of average width: capitals are wider. */
function lengthOf(line: string): number {
  return line.length + (line.match(/\p{Lu}/gu)?.length ?? 0) * 0.25;
}

/** What a frame needs for its title. */
export function titleWidth(label: string): number {
  return Math.round(label.length * CHARACTER) + 26;
}

/** Keeps what comes last, which tells names of one place apart, and as much of the beginning as there is room for. */
export function shortened(label: string): string {
  if (label.length <= MAX_LABEL_LENGTH) return label;
  const last = label.slice(Math.max(0, label.lastIndexOf(label.includes('/') ? '/' : '.')));
  const room = MAX_LABEL_LENGTH - 1 - last.length;
  return last.length < label.length && room >= MIN_KEPT ? `${label.slice(0, room)}…${last}` : `…${label.slice(1 - MAX_LABEL_LENGTH)}`;
}

/** Fewer letters than this of a beginning say nothing. */
const MIN_KEPT = 3;

export function looks(node: { readonly kind: string; readonly role: string; readonly isTest: boolean }): string[] {
  return [node.role, familyOf(node.kind), ...(node.isTest ? ['test'] : [])];
}
