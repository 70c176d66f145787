import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Makes one file of the command line and of all that it needs, for Node 20 and newer. @returns the packages of others in it */
export async function bundle(file: string): Promise<string[]> {
  const build = await rolldown({
    input: join(import.meta.dirname, 'src/main.ts'),
    platform: 'node',
    transform: { target: 'node20' },
  })
  const { output } = await build.write({ file, format: 'esm', codeSplitting: false, minify: { mangle: false } })
  await build.close()
  await chmod(file, 0o755)
  const modules = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
  return [...new Set(modules.flatMap(packageOf))].sort()
}

function packageOf(moduleId: string): string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? []
  return name === undefined ? [] : [name]
}
