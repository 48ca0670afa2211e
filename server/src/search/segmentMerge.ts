import { FIELD_COUNT, type LiveSegment, type Postings, type Segment } from './segment';
import { nameColumns } from './segmentBuilder';
import { inBlocks, unionOf, type Yielder } from './yielder';

/** One segment with the live documents of all, in their order. Linear in what the parts hold. */
export async function mergeSegments(parts: readonly LiveSegment[], yielder: Yielder): Promise<Segment> {
  const places = await placesOf(parts, yielder);
  const ids: string[] = [];
  const size = parts.reduce((sum, part) => sum + part.liveCount, 0);
  const lengths = new Uint16Array(size * FIELD_COUNT);
  const weights = new Uint8Array(size);
  for (const [at, { segment }] of parts.entries()) {
    const placeOf = places[at] as Int32Array;
    await inBlocks(segment.ids.length, yielder, (from, to) => {
      for (let document = from; document < to; document++) {
        const place = placeOf[document] as number;
        if (place < 0) continue;
        ids.push(segment.ids[document] as string);
        weights[place] = segment.weights[document] as number;
        for (let field = 0; field < FIELD_COUNT; field++) lengths[place * FIELD_COUNT + field] = segment.lengths[document * FIELD_COUNT + field] as number;
      }
    });
  }
  const terms = await mergedTerms(parts, places, yielder);
  const postings: Postings[] = [];
  for (let field = 0; field < FIELD_COUNT; field++) postings.push(await mergedPostings(parts, places, terms, field, yielder));
  return { ids, terms: terms.texts, ...(await nameColumns(await mergedNames(parts, places, yielder), ids.length, yielder)), lengths, weights, postings };
}

/** New position of each document, -1 for dead ones. */
async function placesOf(parts: readonly LiveSegment[], yielder: Yielder): Promise<readonly Int32Array[]> {
  let next = 0;
  const all: Int32Array[] = [];
  for (const { segment, dead } of parts) {
    const places = new Int32Array(segment.ids.length);
    await inBlocks(places.length, yielder, (from, to) => {
      for (let document = from; document < to; document++) places[document] = dead?.[document] === 1 ? -1 : next++;
    });
    all.push(places);
  }
  return all;
}

interface MergedTerms {
  readonly texts: readonly string[];
  /** Per part and merged term: the term's row in the part, or -1. */
  readonly rows: readonly Int32Array[];
}

/** Terms that still have a live document, sorted. */
async function mergedTerms(parts: readonly LiveSegment[], places: readonly Int32Array[], yielder: Yielder): Promise<MergedTerms> {
  let texts: readonly string[] = [];
  for (const [at, live] of parts.entries()) texts = await unionOf(texts, await usedTerms(live, places[at] as Int32Array, yielder), yielder);
  const rows: Int32Array[] = [];
  for (const { segment } of parts) {
    const rowOf = new Int32Array(texts.length);
    let row = 0;
    await inBlocks(texts.length, yielder, (from, to) => {
      for (let term = from; term < to; term++) {
        const text = texts[term] as string;
        while (row < segment.terms.length && (segment.terms[row] as string) < text) row++;
        rowOf[term] = segment.terms[row] === text ? row : -1;
      }
    });
    rows.push(rowOf);
  }
  return { texts, rows };
}

async function usedTerms({ segment, dead }: LiveSegment, places: Int32Array, yielder: Yielder): Promise<readonly string[]> {
  if (dead === undefined) return segment.terms;
  const used: string[] = [];
  await inBlocks(segment.terms.length, yielder, (from, to) => {
    for (let row = from; row < to; row++) if (hasLive(segment, row, places)) used.push(segment.terms[row] as string);
  });
  return used;
}

function hasLive(segment: Segment, row: number, places: Int32Array): boolean {
  return segment.postings.some(({ offsets, documents }) => {
    for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) if ((places[documents[at] as number] as number) >= 0) return true;
    return false;
  });
}

async function mergedPostings(
  parts: readonly LiveSegment[],
  places: readonly Int32Array[],
  terms: MergedTerms,
  field: number,
  yielder: Yielder,
): Promise<Postings> {
  const most = parts.reduce((sum, { segment }) => sum + (segment.postings[field]?.documents.length ?? 0), 0);
  const offsets = new Int32Array(terms.texts.length + 1);
  const documents = new Int32Array(most);
  const counts = new Uint8Array(most);
  let end = 0;
  for (let term = 0; term < terms.texts.length; term++) {
    for (let part = 0; part < parts.length; part++) {
      const row = terms.rows[part]?.[term] ?? -1;
      const from = parts[part]?.segment.postings[field];
      const placeOf = places[part];
      if (row < 0 || from === undefined || placeOf === undefined) continue;
      for (let at = from.offsets[row] as number; at < (from.offsets[row + 1] as number); at++) {
        const place = placeOf[from.documents[at] as number] as number;
        if (place < 0) continue;
        documents[end] = place;
        counts[end++] = from.counts[at] as number;
      }
    }
    offsets[term + 1] = end;
    const pause = yielder.step(1);
    if (pause !== undefined) await pause;
  }
  return { offsets, documents: documents.slice(0, end), counts: counts.slice(0, end) };
}

async function mergedNames(parts: readonly LiveSegment[], places: readonly Int32Array[], yielder: Yielder): Promise<ReadonlyMap<string, readonly number[]>> {
  const byName = new Map<string, number[]>();
  for (const [at, { segment }] of parts.entries()) {
    const placeOf = places[at] as Int32Array;
    await inBlocks(segment.names.length, yielder, (from, to) => {
      for (let row = from; row < to; row++) addNames(byName, segment, row, placeOf);
    });
  }
  return byName;
}

function addNames(byName: Map<string, number[]>, segment: Segment, row: number, placeOf: Int32Array): void {
  const name = segment.names[row] as string;
  for (let entry = segment.nameOffsets[row] as number; entry < (segment.nameOffsets[row + 1] as number); entry++) {
    const place = placeOf[segment.nameDocuments[entry] as number] as number;
    if (place < 0) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [place]);
    else known.push(place);
  }
}
