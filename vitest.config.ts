import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/tests/longest-first.ts'

/** Whether the browser tests run beside these: see scripts/tests/lanes.mjs. */
const hasLanes = process.env.ROOMKEEPER_LANES !== undefined

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.ts',
      'apps/**/*.test.tsx',
      'bench/**/*.test.ts',
      'scripts/**/*.test.mjs',
    ],
    globalSetup: ['packages/dev-env/src/vitest-setup.ts'],
    sequence: { sequencer: LongestFirst },
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Most tests start real processes; more workers than cores only make them wait for each other. In CI the third one
    // waits until the browser tests are through.
    maxWorkers: hasLanes ? 3 : 2,
    setupFiles: hasLanes ? ['scripts/tests/lane-setup.ts'] : [],
    // Tests of a file that run at the same time do so because they wait.
    maxConcurrency: 20,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
  },
})
