/**
 * The file that starts an app, from the root of the repository: its bundle where the run of tests has made one
 * (scripts/tests/bundle-programs.mjs), its sources otherwise.
 */
export function programUnderTest(app: 'server' | 'region'): string {
  return process.env.ROOMKEEPER_BUNDLES === '1' ? `apps/${app}/dist/tests/main.js` : `apps/${app}/src/main.ts`
}
