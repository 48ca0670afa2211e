/** Extensions of contracts and deployments: their unsaved text counts for the services. */
export const CONTRACT_EXTENSIONS = ['yaml', 'yml', 'json', 'proto', 'graphql', 'graphqls', 'gql'] as const;
