import { defineConfig } from 'vitest/config'

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
    exclude: ['**/node_modules/**', '**/dist/**'],
    // For two cores: a test that waits for its processes leaves an eighth of them idle with two workers.
    maxWorkers: 3,
    // Tests of a file that run at the same time do so because they wait.
    maxConcurrency: 20,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
  },
})
