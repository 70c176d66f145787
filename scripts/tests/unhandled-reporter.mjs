/** Reports errors outside all tests to vitest's caller, because vitest's JSON report omits them. */
import { writeFileSync } from 'node:fs'

export default class UnhandledReporter {
  onTestRunEnd(_, unhandledErrors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file !== undefined) writeFileSync(file, JSON.stringify(unhandledErrors.map(({ message }) => String(message))))
  }
}
