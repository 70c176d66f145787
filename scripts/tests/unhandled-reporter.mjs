/** Reports errors outside of all tests to vitest's caller: its JSON report leaves them out. */
import { writeFileSync } from 'node:fs'

export default class UnhandledReporter {
  onTestRunEnd(_, unhandledErrors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file !== undefined) writeFileSync(file, JSON.stringify(unhandledErrors.map(({ message }) => String(message))))
  }
}
