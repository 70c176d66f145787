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
    // Most tests start real processes; more workers than cores only make them wait for each other.
    maxWorkers: 2,
    // Concurrent tests are those that mostly wait.
    maxConcurrency: 20,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
