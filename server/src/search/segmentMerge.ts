import type { Pace } from './pace';
import { FIELD_COUNT, type LiveSegment, type Postings, type Segment } from './segment';
import { nameColumns } from './segmentBuilder';

/** One segment with the live documents of all, in their order. Linear in what the parts hold. */
export async function mergeSegments(parts: readonly LiveSegment[], pace: Pace): Promise<Segment> {
  const places = placesOf(parts);
  const ids: string[] = [];
  const lengths = new Uint16Array(parts.reduce((sum, part) => sum + part.liveCount, 0) * FIELD_COUNT);
  for (const [at, { segment }] of parts.entries()) {
    for (const [document, id] of segment.ids.entries()) {
      const place = places[at]?.[document] ?? -1;
      if (place < 0) continue;
      ids.push(id);
      lengths.set(segment.lengths.subarray(document * FIELD_COUNT, (document + 1) * FIELD_COUNT), place * FIELD_COUNT);
    }
    await pace.step(segment.ids.length);
  }
  const terms = await mergedTerms(parts, places, pace);
  const postings: Postings[] = [];
  for (let field = 0; field < FIELD_COUNT; field++) postings.push(await mergedPostings(parts, places, terms, field, pace));
  return { ids, terms: terms.texts, ...(await nameColumns(mergedNames(parts, places), ids.length, pace)), lengths, postings };
}

/** New position of each document, -1 for dead ones. */
function placesOf(parts: readonly LiveSegment[]): readonly Int32Array[] {
  let next = 0;
  return parts.map(({ segment, dead }) => {
    const places = new Int32Array(segment.ids.length);
    for (let document = 0; document < places.length; document++) places[document] = dead?.[document] === 1 ? -1 : next++;
    return places;
  });
}

interface MergedTerms {
  readonly texts: readonly string[];
  /** Per part and merged term: the term's row in the part, or -1. */
  readonly rows: readonly Int32Array[];
}

/** Terms that still have a live document, sorted. */
async function mergedTerms(parts: readonly LiveSegment[], places: readonly Int32Array[], pace: Pace): Promise<MergedTerms> {
  const used = parts.map(({ segment, dead }, at) => (dead === undefined ? segment.terms : segment.terms.filter((_, row) => hasLive(segment, row, places[at]))));
  let texts: readonly string[] = [];
  for (const terms of used) {
    await pace.step(terms.length);
    texts = union(texts, terms);
  }
  const rows = parts.map(({ segment }) => {
    let row = 0;
    return Int32Array.from(texts, term => {
      while (row < segment.terms.length && (segment.terms[row] as string) < term) row++;
      return segment.terms[row] === term ? row : -1;
    });
  });
  await pace.step(texts.length);
  return { texts, rows };
}

/** Of two sorted lists without duplicates. */
function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0) return b;
  const merged: string[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    const first = a[left] as string;
    const second = b[right] as string;
    if (first <= second) left++;
    if (second <= first) right++;
    merged.push(first <= second ? first : second);
  }
  for (; left < a.length; left++) merged.push(a[left] as string);
  for (; right < b.length; right++) merged.push(b[right] as string);
  return merged;
}

function hasLive(segment: Segment, row: number, places: Int32Array | undefined): boolean {
  return segment.postings.some(({ offsets, documents }) => {
    for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) if ((places?.[documents[at] as number] ?? -1) >= 0) return true;
    return false;
  });
}

async function mergedPostings(parts: readonly LiveSegment[], places: readonly Int32Array[], terms: MergedTerms, field: number, pace: Pace): Promise<Postings> {
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
    const pause = pace.step(1);
    if (pause !== undefined) await pause;
  }
  return { offsets, documents: documents.slice(0, end), counts: counts.slice(0, end) };
}

function mergedNames(parts: readonly LiveSegment[], places: readonly Int32Array[]): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>();
  for (const [at, { segment }] of parts.entries()) {
    for (const [row, name] of segment.names.entries()) {
      for (let entry = segment.nameOffsets[row] as number; entry < (segment.nameOffsets[row + 1] as number); entry++) {
        const place = places[at]?.[segment.nameDocuments[entry] as number] ?? -1;
        if (place < 0) continue;
        const known = byName.get(name);
        if (known === undefined) byName.set(name, [place]);
        else known.push(place);
      }
    }
  }
  return byName;
}
