import type { Pattern } from './pattern';

/** Patterns over services, their contracts and events. The code graph holds none of these: they are named as missing, never as absent. */
export const SERVICE_PATTERNS: readonly Pattern[] = [
  {
    id: 'dead-endpoint',
    title: 'Endpoints without a handler',
    severity: 'warning',
    fix: 'Implement the endpoint, or remove it from the contract.',
    words: /\bdead endpoints?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'orphan-event',
    title: 'Events without a publisher or consumer',
    severity: 'warning',
    fix: 'Publish or consume the event, or remove the remaining side.',
    words: /\borphan(?:ed)? events?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'ADV-001',
    title: 'Event handlers without a publisher',
    severity: 'warning',
    fix: 'Remove the handler, or publish its event. Dependencies Warning: check impact_analyze of the handler first.',
    words: /\bdead event handlers?\b/,
    needs: 'services',
    find: () => [],
  },
  {
    id: 'ADV-002',
    title: 'Unused contracts',
    severity: 'warning',
    fix: 'Remove the contract. Dependencies Warning: check impact_analyze of its service first.',
    words: /\bdead contracts?\b/,
    needs: 'services',
    find: () => [],
  },
];
