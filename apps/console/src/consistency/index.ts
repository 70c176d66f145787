/** The check of consistency: what other features need of it. */
export { useRunDoctor } from './use-run-doctor.ts'
