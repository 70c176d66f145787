/**
 * The file that starts an app, from the root of the repository: its bundle where the run of tests has made one
 * (scripts/tests/bundle-programs.mjs), its sources otherwise.
 */
export function programUnderTest(app: 'server' | 'region'): string {
  const { ROOMKEEPER_BUNDLES: folder } = process.env
  return folder === undefined ? `apps/${app}/src/main.ts` : `apps/${app}/dist/${folder}/main.js`
}
