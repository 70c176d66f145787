/** Tells webhooks what has become of rooms, for every feature that changes them. */
export { enqueueRoomWebhook, tellOfRooms } from './enqueue-room-webhook.ts'
