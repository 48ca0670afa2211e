export type ServerState = 'off' | 'starting' | 'running' | 'stopped';
