/** Tells vitest's caller of errors outside of all tests: its JSON report leaves them out. */
import { writeFileSync } from 'node:fs'

export default class UnhandledReporter {
  onTestRunEnd(_, unhandledErrors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file !== undefined) writeFileSync(file, JSON.stringify(unhandledErrors.map(({ message }) => String(message))))
  }
}
