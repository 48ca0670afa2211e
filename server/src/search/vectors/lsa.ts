/**
 * Latent semantic analysis (Deerwester et al. 1990): words that occur in like company get like vectors.
 * The decomposition is that of a random projection with subspace iteration (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1); it is
 * deterministic, since the projection is drawn from a fixed sequence.
 */

/** Weighted terms of documents, as compressed rows. */
export interface TermRows {
  readonly starts: Int32Array;
  readonly terms: Int32Array;
  readonly weights: Float32Array;
}

export interface LsaOptions {
  readonly termCount: number;
  readonly dimension: number;
}

export interface LsaBasis {
  /** At most the dimension asked for: a small workspace has fewer directions. */
  readonly dimension: number;
  /** `dimension` numbers per term. The vector of a document is the sum of those of its terms, times their weights. */
  readonly vectors: Float32Array;
}

/** Directions beyond those kept, which make the kept ones more exact. */
const OVERSAMPLING = 12;
const ITERATIONS = 2;
/** Directions weaker than this share of the strongest say nothing. */
const MIN_STRENGTH = 1e-4;

export function trainLsa(rows: TermRows, { dimension, termCount }: LsaOptions): LsaBasis {
  const documentCount = rows.starts.length - 1;
  const width = Math.max(0, Math.min(dimension + OVERSAMPLING, documentCount, termCount));
  if (width === 0) return { dimension: 0, vectors: new Float32Array(0) };
  const basis = randomMatrix(termCount, width);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    applyGram(rows, basis, width);
    orthonormalize(basis, termCount, width);
  }
  const { values, vectors } = eigen(projectedGram(rows, basis, width), width);
  const order = Array.from(values.keys()).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  const strongest = Math.max(0, values[order[0] ?? 0] ?? 0);
  const kept = order.slice(0, dimension).filter(column => (values[column] as number) > strongest * MIN_STRENGTH ** 2);
  return { dimension: kept.length, vectors: rotated(basis, vectors, kept, termCount, width) };
}

/** Plus and minus one in a fixed order (xorshift, Marsaglia 2003). */
function randomMatrix(rowCount: number, width: number): Float64Array {
  let state = 0x9e3779b9 | 0;
  return Float64Array.from({ length: rowCount * width }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state & 1) === 0 ? 1 : -1;
  });
}

/** `basis` becomes AᵀA · basis, a document at a time. */
function applyGram(rows: TermRows, basis: Float64Array, width: number): void {
  const result = new Float64Array(basis.length);
  const projected = new Float64Array(width);
  for (let document = 0; document + 1 < rows.starts.length; document++) {
    project(rows, document, basis, width, projected);
    for (let at = rows.starts[document] as number; at < (rows.starts[document + 1] as number); at++) {
      const offset = (rows.terms[at] as number) * width;
      const weight = rows.weights[at] as number;
      for (let column = 0; column < width; column++) result[offset + column] = (result[offset + column] as number) + weight * (projected[column] as number);
    }
  }
  basis.set(result);
}

function project(rows: TermRows, document: number, basis: Float64Array, width: number, into: Float64Array): void {
  into.fill(0);
  for (let at = rows.starts[document] as number; at < (rows.starts[document + 1] as number); at++) {
    const offset = (rows.terms[at] as number) * width;
    const weight = rows.weights[at] as number;
    for (let column = 0; column < width; column++) into[column] = (into[column] as number) + weight * (basis[offset + column] as number);
  }
}

/**
 * Orthonormal columns that span the same space: twice by Cholesky factors of the Gram matrix (Yamamoto et al. 2015), which goes through the rows in order.
 * Columns that depend on others become zero.
 */
function orthonormalize(matrix: Float64Array, rowCount: number, width: number): void {
  for (let round = 0; round < 2; round++) {
    const gram = new Float64Array(width * width);
    for (let row = 0; row < rowCount; row++) addOuter(matrix, row * width, width, gram);
    const factor = cholesky(gram, width);
    for (let row = 0; row < rowCount; row++) solveRow(matrix, row * width, factor, width);
  }
}

/** Adds v·vᵀ to the lower triangle. */
function addOuter(from: Float64Array, offset: number, width: number, gram: Float64Array): void {
  for (let a = 0; a < width; a++) {
    const value = from[offset + a] as number;
    if (value === 0) continue;
    const row = a * width;
    for (let b = 0; b <= a; b++) gram[row + b] = (gram[row + b] as number) + value * (from[offset + b] as number);
  }
}

/** Lower factor; a zero on its diagonal marks a column that depends on those before it. */
function cholesky(gram: Float64Array, width: number): Float64Array {
  const factor = new Float64Array(width * width);
  let largest = 0;
  for (let a = 0; a < width; a++) largest = Math.max(largest, gram[a * width + a] as number);
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = gram[a * width + b] as number;
      for (let c = 0; c < b; c++) sum -= (factor[a * width + c] as number) * (factor[b * width + c] as number);
      const pivot = factor[b * width + b] as number;
      factor[a * width + b] = a === b ? (sum > largest * 1e-14 ? Math.sqrt(sum) : 0) : pivot === 0 ? 0 : sum / pivot;
    }
  }
  return factor;
}

/** The row times the inverse of the transposed factor. */
function solveRow(matrix: Float64Array, offset: number, factor: Float64Array, width: number): void {
  for (let a = 0; a < width; a++) {
    const pivot = factor[a * width + a] as number;
    let sum = matrix[offset + a] as number;
    for (let b = 0; b < a; b++) sum -= (factor[a * width + b] as number) * (matrix[offset + b] as number);
    matrix[offset + a] = pivot === 0 ? 0 : sum / pivot;
  }
}

/** Whole symmetric Gram matrix of the documents in the coordinates of the basis. */
function projectedGram(rows: TermRows, basis: Float64Array, width: number): Float64Array {
  const gram = new Float64Array(width * width);
  const projected = new Float64Array(width);
  for (let document = 0; document + 1 < rows.starts.length; document++) {
    project(rows, document, basis, width, projected);
    addOuter(projected, 0, width, gram);
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) gram[b * width + a] = gram[a * width + b] as number;
  return gram;
}

const MAX_SWEEPS = 30;

/** Eigenvalues and, by column, eigenvectors of a symmetric matrix, by cyclic Jacobi rotations (Golub and Van Loan, section 8.5). */
export function eigen(symmetric: Float64Array, size: number): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const matrix = symmetric.slice();
  const vectors = new Float64Array(size * size);
  for (let at = 0; at < size; at++) vectors[at * size + at] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(matrix, size); sweep++) {
    for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) rotate(matrix, vectors, size, a, b);
  }
  return { values: Float64Array.from({ length: size }, (_, at) => matrix[at * size + at] as number), vectors };
}

function isDiagonal(matrix: Float64Array, size: number): boolean {
  let off = 0;
  let all = 0;
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      const square = (matrix[a * size + b] as number) ** 2;
      all += square;
      if (a !== b) off += square;
    }
  }
  return off <= all * 1e-22;
}

function rotate(matrix: Float64Array, vectors: Float64Array, size: number, a: number, b: number): void {
  const between = matrix[a * size + b] as number;
  if (between === 0) return;
  const theta = ((matrix[b * size + b] as number) - (matrix[a * size + a] as number)) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  // Rows and columns hold the same: the matrix stays symmetric, so rows are turned and then mirrored.
  turn(matrix, a * size, b * size, 1, size, cosine, sine);
  turn(matrix, a, b, size, size, cosine, sine);
  turn(vectors, a, b, size, size, cosine, sine);
}

function turn(matrix: Float64Array, first: number, second: number, step: number, count: number, cosine: number, sine: number): void {
  for (let at = 0; at < count; at++) {
    const left = matrix[first + at * step] as number;
    const right = matrix[second + at * step] as number;
    matrix[first + at * step] = cosine * left - sine * right;
    matrix[second + at * step] = sine * left + cosine * right;
  }
}

function rotated(basis: Float64Array, rotation: Float64Array, kept: readonly number[], termCount: number, width: number): Float32Array {
  const vectors = new Float32Array(termCount * kept.length);
  for (let term = 0; term < termCount; term++) {
    for (const [at, column] of kept.entries()) {
      let sum = 0;
      for (let a = 0; a < width; a++) sum += (basis[term * width + a] as number) * (rotation[a * width + column] as number);
      vectors[term * kept.length + at] = sum;
    }
  }
  return vectors;
}
