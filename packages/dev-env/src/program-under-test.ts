import { parse } from 'node:path'
import { sharedAddress } from './shared-resource.ts'

/** The environment variable with the address at which test files ask for the bundles: see bundle-programs.ts. */
export const bundlesVariable = 'ROOMKEEPER_BUNDLES'

/**
 * The file that starts a program, from the root of the repository: in a run of tests its bundle, elsewhere its sources.
 * @param file one of the bundled files, from the folder of the app
 */
export async function programUnderTest(app: 'server' | 'region', file = 'src/main.ts'): Promise<string> {
  const folder = await sharedAddress<string>(bundlesVariable)
  return folder === null ? `apps/${app}/${file}` : `apps/${app}/dist/${folder}/${parse(file).name}.js`
}
