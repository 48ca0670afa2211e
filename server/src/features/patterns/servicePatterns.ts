import type { Pattern } from './pattern';

/** Patterns over services, their contracts and events. The code graph holds none of these: they are named as missing, never as absent. */
export const SERVICE_PATTERNS: readonly Pattern[] = [
  {
    id: 'dead-endpoint',
    title: 'Endpoints without a handler',
    severity: 'warning',
    fix: 'Implement the endpoint, or take it out of the contract.',
    words: /\bdead endpoints?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'orphan-event',
    title: 'Events with only one side',
    severity: 'warning',
    fix: 'Publish or consume the event, or remove the side that is left.',
    words: /\borphan(?:ed)? events?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'ADV-001',
    title: 'Event handlers that no publisher reaches',
    severity: 'warning',
    fix: 'Remove the handler, or publish its event. Dependencies Warning: look at impact_analyze of the handler first.',
    words: /\bdead event handlers?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'ADV-002',
    title: 'Contracts that nothing uses',
    severity: 'warning',
    fix: 'Retire the contract. Dependencies Warning: look at impact_analyze of its service first.',
    words: /\bdead contracts?\b/,
    needs: 'services',
    find: () => [],
  },
];
