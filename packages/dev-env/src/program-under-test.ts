import { askKeeper } from './keep-for-run.ts'

/** The environment variable with the address of a test run's keeper: see bundle-programs.ts. */
export const bundlesVariable = 'ROOMKEEPER_BUNDLES'

/** The file that starts an app, from the root of the repository: in a run of tests its bundle, elsewhere its sources. */
export async function programUnderTest(app: 'server' | 'region'): Promise<string> {
  const folder = await askKeeper<string>(bundlesVariable)
  return folder === null ? `apps/${app}/src/main.ts` : `apps/${app}/dist/${folder}/main.js`
}
