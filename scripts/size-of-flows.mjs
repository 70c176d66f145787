/**
 * How many files and functions of the server run for a list query, the creation of a room and the move of one: V8's
 * coverage of the live server, without what an idle server runs. This file is also what the server loads first: it
 * writes what was called since the last time when it gets SIGUSR2.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const { COVERAGE_FILE: coverageFile } = process.env
if (coverageFile !== undefined) writeCoverageWhenAsked(coverageFile)

function writeCoverageWhenAsked(file) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  process.on('SIGUSR2', () => {
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      const called = result.filter(({ url }) => url.includes('/apps/server/src/')).flatMap(calledFunctions)
      writeFileSync(`${file}.part`, JSON.stringify(called))
      renameSync(`${file}.part`, file)
    })
  })
}

/** The top of a file runs when it is loaded, which is no part of a flow. */
function calledFunctions({ url, functions }) {
  return functions
    .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
    .map(({ functionName, ranges }) => `${url}#${functionName}@${ranges[0].startOffset}`)
}

/** @returns {Promise<[string, string][]>} the name of each flow, and its figures */
export async function sizeOfFlows() {
  const { bootNetwork, until } = await import('@roomkeeper/dev-env')
  const file = join(tmpdir(), `roomkeeper-coverage-${process.pid}.json`)
  const env = { COVERAGE_FILE: file, NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}` }
  const network = await bootNetwork({ regions: 2, env })
  try {
    const calledDuring = async (work) => {
      await calledNow()
      await work()
      return calledNow()
    }
    const calledNow = async () => {
      rmSync(file, { force: true })
      process.kill(network.server.child.pid, 'SIGUSR2')
      await until('the server has written', async () => existsSync(file))
      return JSON.parse(readFileSync(file, 'utf8'))
    }
    const { admin } = network
    const name = await network.newRoom()
    const [source, target] = await network.database.rows('select id from regions order by id')
    const flows = {
      'list query': () =>
        admin.call('listRooms', {
          query: {
            search: 'room',
            filter_keys: ['product'],
            filter_conditions: ['EQUALS'],
            filter_values: ['0'],
            order_by: 'companyName',
          },
        }),
      creation: async () => {
        await network.newRoom()
        await network.settle()
      },
      move: async () => {
        const body = { sourceRegion: source.id, targetRegion: target.id, parallel: true }
        const { id } = (await admin.call('saveLiveMigration', { body })).body
        await admin.call('startLiveMigration', { body: { liveMigrationData: { id }, selectedRooms: [name] } })
        await network.settle()
      },
    }
    const rows = []
    for (const [flow, run] of Object.entries(flows)) {
      const idle = new Set(await calledDuring(() => pause(6000)))
      const used = (await calledDuring(run)).filter((each) => !idle.has(each))
      const files = new Set(used.map((each) => each.split('#')[0]))
      rows.push([`files · functions for a ${flow}`, `${files.size} · ${used.length}`])
    }
    return rows
  } finally {
    await network.stop()
    rmSync(file, { force: true })
  }
}
