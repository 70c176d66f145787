import classes from './CustomerFrame.module.css'

/** The message as it was written, with its line breaks. */
export function MaintenanceNotice({ message }: { message: string }) {
  return (
    <p role="status" className={classes.message}>
      {message}
    </p>
  )
}
