import { defineConfig } from 'vitest/config'

/** The tests of modules that `npm run mutations` breaks: they start no server. */
export default defineConfig({
  test: {
    include: [
      'packages/{rules,contract}/src/**/*.test.ts',
      'apps/console/src/**/*-form.test.ts',
      'apps/server/src/{platform/csv,backup-policies/due-times}.test.ts',
    ],
  },
})
