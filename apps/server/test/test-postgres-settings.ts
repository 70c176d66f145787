/** Of the PostgreSQL that tests share: fast, and not safe on power loss. Whoever starts it first sets it. */
export const testPostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
}
