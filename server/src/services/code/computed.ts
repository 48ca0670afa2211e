/** What a place in the code computes at run time, so that it cannot be read: why something was skipped. */
export const COMPUTED = {
  address: 'the address of a request is computed',
  autoload: 'the folder of an autoload is computed',
  event: 'the name of an event is computed',
  prefix: 'the prefix of the application is computed',
  route: 'the path of a route is computed',
} as const;

export type SkipReason = (typeof COMPUTED)[keyof typeof COMPUTED];
