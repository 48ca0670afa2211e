/** Pixels of a saved picture's longer side, at most. */
const MAX_SIDE_PX = 8000;

/** A picture in lines and text as base64 of a PNG, twice as large where that is not too large. */
export async function pngOf(svg: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, MAX_SIDE_PX / image.width, MAX_SIDE_PX / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(image.width * scale);
  canvas.height = Math.ceil(image.height * scale);
  const pen = canvas.getContext('2d');
  if (pen === null) return '';
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^.*,/s, '');
}
