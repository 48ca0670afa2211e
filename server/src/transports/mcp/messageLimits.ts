/** Longest message accepted over any transport, in bytes: what is parsed at once holds everybody up. */
export const MAX_MESSAGE_BYTES = 1 << 20;
export const TOO_LONG = `A message must not be longer than ${MAX_MESSAGE_BYTES} bytes.`;
export const IN_FLIGHT = 'A request with this id is still being answered. Use a new id for each request.';
/** Longest text that names something (a URI, a prompt, a word to complete), in characters. */
export const MAX_NAME_LENGTH = 10_000;
