/** The names of the regions that an operation's input names, for its title: columns of a statement. */
export function namedRegions(operations: string): string {
  const nameOf = (field: string) =>
    `(select named.name from regions named where named.id = (${operations}.input->>'${field}')::int)`
  return `${nameOf('sourceRegionId')} as source_region, ${nameOf('targetRegionId')} as target_region`
}
