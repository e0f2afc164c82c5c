"""Types of requests and responses. Written by `npm run generate` from the OpenAPI document. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union, final

#: The model_id of an operation.
ModelId = Literal["media-convert-image", "remove-bg", "image-moderation", "image-outpaint", "upscale", "audio-diarize", "audio-separate-stems", "pipeline"]

ErrorCode = Literal["bad_request", "unfetchable", "source_unavailable", "unsupported", "too_large", "model_not_found", "unauthorized", "insufficient_balance", "forbidden", "not_found", "method_not_allowed", "request_timeout", "conflict", "gone", "body_too_large", "unsupported_encoding", "range_not_satisfiable", "expectation_failed", "unprocessable", "over_memory", "canceled", "output_delivery_failed", "too_many_failures", "too_many_requests", "headers_too_large", "cancelled", "internal", "crashed", "interrupted", "over_time", "unavailable", "storage_full", "timeout", "engine_unavailable", "category_unavailable"]


class OutputDelivery(TypedDict):
    url: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    http_status: Union[int, None]
    error: Union[str, None]


class _ListedUploadRequired(TypedDict):
    upload_id: str
    upload_url: str
    bytes: int
    expires_at: str


class ListedUpload(_ListedUploadRequired, total=False):
    parts_url: str
    name: str
    sha256: str
    media_type: str


class _ResultFileRequired(TypedDict):
    url: str
    name: str
    media_type: str
    bytes: int
    sha256: str


class ResultFile(_ResultFileRequired, total=False):
    width: int
    height: int
    frames: int
    duration_seconds: float


class BackgroundRemoval(TypedDict):
    status: Literal["success"]
    output_url: str
    original_size: str
    subjects_detected: int
    processing_ms: int
    matte_quality: Literal["high", "medium", "low"]


class ModerationCategoriesItem(TypedDict):
    category: Literal["Hate", "SelfHarm", "Sexual", "Violence"]
    severity: Literal[0, 2, 4, 6]


class Moderation(TypedDict):
    flagged: bool
    categories: List[ModerationCategoriesItem]
    severity_threshold: Literal[0, 2, 4, 6]
    ms: int


class Upscale(TypedDict):
    status: Literal["success"]
    output_url: str
    input_size: str
    output_size: str
    scale: Literal[2, 4, 8]
    credits_used: float


class _MediaConvertImageItemRequired(TypedDict):
    media_url: List[str]
    media_type: str
    status: Literal["success"]
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class MediaConvertImageItem(_MediaConvertImageItemRequired, total=False):
    duplicate_of: int


class _RemoveBgItemRequired(TypedDict):
    status: Literal["success"]
    output_url: str
    original_size: str
    subjects_detected: int
    processing_ms: int
    matte_quality: Literal["high", "medium", "low"]
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class RemoveBgItem(_RemoveBgItemRequired, total=False):
    duplicate_of: int


class ImageModerationItemCategoriesItem(TypedDict):
    category: Literal["Hate", "SelfHarm", "Sexual", "Violence"]
    severity: Literal[0, 2, 4, 6]


class _ImageModerationItemRequired(TypedDict):
    flagged: bool
    categories: List[ImageModerationItemCategoriesItem]
    severity_threshold: Literal[0, 2, 4, 6]
    ms: int
    status: Literal["success"]
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class ImageModerationItem(_ImageModerationItemRequired, total=False):
    duplicate_of: int


class _ImageOutpaintItemRequired(TypedDict):
    media_url: List[str]
    media_type: str
    status: Literal["success"]
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class ImageOutpaintItem(_ImageOutpaintItemRequired, total=False):
    fill_quality: Union[float, None]
    duplicate_of: int


class _UpscaleItemRequired(TypedDict):
    status: Literal["success"]
    output_url: str
    input_size: str
    output_size: str
    scale: Literal[2, 4, 8]
    credits_used: float
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class UpscaleItem(_UpscaleItemRequired, total=False):
    duplicate_of: int


class _PipelineItemRequired(TypedDict):
    media_url: List[str]
    media_type: str
    status: Literal["success"]
    files: List[ResultFile]
    engine: str
    engine_licence: Union[str, None]
    warnings: List[str]
    cached: bool
    charged_usd: str


class PipelineItem(_PipelineItemRequired, total=False):
    steps: Dict[str, Dict[str, Any]]
    stopped_by: str
    duplicate_of: int


class _FailedItemRequired(TypedDict):
    status: Literal["failed"]
    error: str
    code: ErrorCode
    request_id: str
    charged_usd: str


class FailedItem(_FailedItemRequired, total=False):
    field: str
    duplicate_of: int


class MediaConvertImageParamsCrop(TypedDict):
    x: int
    y: int
    width: int
    height: int


class _MediaConvertImageParamsRequired(TypedDict):
    to_format: Literal["jpg", "jpeg", "png", "webp", "avif", "heic", "tiff", "gif", "bmp"]


class MediaConvertImageParams(_MediaConvertImageParamsRequired, total=False):
    quality: float
    keep_metadata: bool
    crop: MediaConvertImageParamsCrop
    rotate: Literal[90, 180, 270]
    flip: Literal["horizontal", "vertical"]
    width: int
    height: int
    fit: Literal["inside", "cover", "contain", "fill"]
    gravity: Literal["centre", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "attention"]
    pad_color: str
    background: str
    enlarge: bool
    max_bytes: int
    dpi: int
    output_name: str
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class MediaConvertImageBatchParamsCrop(TypedDict):
    x: int
    y: int
    width: int
    height: int


class MediaConvertImageBatchParams(TypedDict, total=False):
    to_format: Literal["jpg", "jpeg", "png", "webp", "avif", "heic", "tiff", "gif", "bmp"]
    quality: float
    keep_metadata: bool
    crop: MediaConvertImageBatchParamsCrop
    rotate: Literal[90, 180, 270]
    flip: Literal["horizontal", "vertical"]
    width: int
    height: int
    fit: Literal["inside", "cover", "contain", "fill"]
    gravity: Literal["centre", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "attention"]
    pad_color: str
    background: str
    enlarge: bool
    max_bytes: int
    dpi: int
    output_name: str
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class RemoveBgParamsPosition(TypedDict, total=False):
    x: float
    y: float
    scale: float
    angle: float


class RemoveBgParams(TypedDict, total=False):
    output_format: Literal["png", "jpeg", "webp", "mp4", "webm"]
    background: str
    subject: Literal["all", "primary"]
    engine: Literal["auto", "birefnet-lite-fp16", "isnet-general-use", "u2netp", "matte", "modnet-fp16", "selfie-segmentation"]
    size: str
    margin: float
    position: RemoveBgParamsPosition
    shadow: Literal["none", "soft", "contact"]
    shadow_strength: float
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class RemoveBgBatchParamsPosition(TypedDict, total=False):
    x: float
    y: float
    scale: float
    angle: float


class RemoveBgBatchParams(TypedDict, total=False):
    output_format: Literal["png", "jpeg", "webp", "mp4", "webm"]
    background: str
    subject: Literal["all", "primary"]
    engine: Literal["auto", "birefnet-lite-fp16", "isnet-general-use", "u2netp", "matte", "modnet-fp16", "selfie-segmentation"]
    size: str
    margin: float
    position: RemoveBgBatchParamsPosition
    shadow: Literal["none", "soft", "contact"]
    shadow_strength: float
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class ImageModerationParams(TypedDict, total=False):
    categories: List[Literal["Hate", "SelfHarm", "Sexual", "Violence"]]
    severity_threshold: Literal[0, 2, 4, 6]
    engine: Literal["auto", "clip-vit-b32-vision-uint8", "nsfw-vit-int8", "nsfw-mobilenet"]
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class ImageModerationBatchParams(TypedDict, total=False):
    categories: List[Literal["Hate", "SelfHarm", "Sexual", "Violence"]]
    severity_threshold: int
    engine: Literal["auto", "clip-vit-b32-vision-uint8", "nsfw-vit-int8", "nsfw-mobilenet"]
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class ImageOutpaintParams(TypedDict, total=False):
    expand_left: int
    expand_right: int
    expand_top: int
    expand_bottom: int
    aspect_ratio: Literal["1:1", "4:5", "3:2", "16:9", "9:16"]
    zoom_out_percentage: float
    prompt: str
    seed: int
    num_images: int
    enable_safety_checker: bool
    sync_mode: bool
    output_format: Literal["png", "jpeg", "jpg", "webp"]
    engine: Literal["auto", "sd15-inpaint-fp16", "lcm-inpaint", "lama-fp32", "lama-opencv", "migan-pipeline-v2", "darkroom-patches"]
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class ImageOutpaintBatchParams(TypedDict, total=False):
    expand_left: int
    expand_right: int
    expand_top: int
    expand_bottom: int
    aspect_ratio: Literal["1:1", "4:5", "3:2", "16:9", "9:16"]
    zoom_out_percentage: float
    prompt: str
    seed: int
    num_images: int
    enable_safety_checker: bool
    output_format: Literal["png", "jpeg", "jpg", "webp"]
    engine: Literal["auto", "sd15-inpaint-fp16", "lcm-inpaint", "lama-fp32", "lama-opencv", "migan-pipeline-v2", "darkroom-patches"]
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class UpscaleParams(TypedDict, total=False):
    model: Literal["crystal-upscaler", "darkroom", "darkroom-restore", "darkroom-fast", "realesr-general-x4v3", "realesrgan-x4plus", "swin2sr-lightweight-x2"]
    scale: Literal[2, 4, 8]
    output_format: Literal["png", "jpeg", "webp", "mp4", "webm"]
    width: int
    dpi: int
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class UpscaleBatchParams(TypedDict, total=False):
    model: str
    scale: Literal[2, 4, 8]
    output_format: Literal["png", "jpeg", "webp", "mp4", "webm"]
    width: int
    dpi: int
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class AudioDiarizeParams(TypedDict, total=False):
    speaker_count: int
    engine: Literal["auto", "pyannote-segmentation-3.0", "pyannote-segmentation-3.0-int8", "silero-speakers"]
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class AudioSeparateStemsParams(TypedDict, total=False):
    stems: Literal["two", "four"]
    output_format: Literal["mp3", "wav"]
    engine: Literal["auto", "htdemucs-fp16", "htdemucs", "spleeter-4stems-fp16", "stems", "median-filter"]
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class _PipelineParamsStepsItemRequired(TypedDict):
    id: str
    operation: str


_PipelineParamsStepsItemOptional = TypedDict(
    "_PipelineParamsStepsItemOptional",
    {
        "from": str,
        "params": Dict[str, Any],
        "stop_if_flagged": bool,
    },
    total=False,
)


class PipelineParamsStepsItem(_PipelineParamsStepsItemRequired, _PipelineParamsStepsItemOptional):
    pass


class PipelineParams(TypedDict, total=False):
    steps: List[PipelineParamsStepsItem]
    outputs: List[str]
    preset: str
    overrides: Dict[str, Dict[str, Any]]
    output_urls: List[str]
    store: bool
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class _PipelineBatchParamsStepsItemRequired(TypedDict):
    id: str
    operation: str


_PipelineBatchParamsStepsItemOptional = TypedDict(
    "_PipelineBatchParamsStepsItemOptional",
    {
        "from": str,
        "params": Dict[str, Any],
        "stop_if_flagged": bool,
    },
    total=False,
)


class PipelineBatchParamsStepsItem(_PipelineBatchParamsStepsItemRequired, _PipelineBatchParamsStepsItemOptional):
    pass


class PipelineBatchParams(TypedDict, total=False):
    steps: List[PipelineBatchParamsStepsItem]
    outputs: List[str]
    preset: str
    overrides: Dict[str, Dict[str, Any]]
    result_ttl_hours: float
    run_on: Literal["service", "own"]
    reference: Union[str, None]
    metadata: Dict[str, str]


class JobSummaryBilling(TypedDict):
    held_usd: str
    charged_usd: str


class _JobSummaryRequired(TypedDict):
    request_id: str
    status: Literal["QUEUED", "PROCESSING", "COMPLETED", "FAILED", "ERROR"]
    model_id: str
    test: bool
    error: Union[str, None]
    created_at: str
    started_at: Union[str, None]
    updated_at: str
    completed_at: Union[str, None]
    deleted_at: Union[str, None]
    progress: float
    billing: JobSummaryBilling
    warnings: List[str]
    engine: Union[str, None]
    engine_licence: Union[str, None]
    code: Union[ErrorCode, None]
    field: Union[str, None]
    output_delivery: List[OutputDelivery]
    run_on: Literal["service", "own"]
    cached: bool
    reference: Union[str, None]
    metadata: Dict[str, str]


class JobSummary(_JobSummaryRequired, total=False):
    fill_quality: Union[float, None]
    steps: List[Dict[str, Any]]


class QuoteSteps(TypedDict):
    price_usd: str


class _QuoteRequired(TypedDict):
    model_id: str
    price_usd: str
    expected_seconds: Union[float, None]
    engine: Union[str, None]
    facts: Dict[str, Any]


class Quote(_QuoteRequired, total=False):
    steps: Dict[str, QuoteSteps]


class BatchQuoteItemsItem(TypedDict):
    price_usd: str


class _BatchQuoteItemsItem1Required(TypedDict):
    error: str
    code: ErrorCode


class BatchQuoteItemsItem1(_BatchQuoteItemsItem1Required, total=False):
    field: str


class BatchQuote(TypedDict):
    model_id: str
    price_usd: str
    items: List[Union[BatchQuoteItemsItem, BatchQuoteItemsItem1]]


class Token(TypedDict):
    token: str
    token_id: str
    operations: Union[List[str], None]
    max_usd: str
    expires_at: str


class UsageUsageItem(TypedDict):
    day: str
    model_id: str
    key_id: Union[str, None]
    requests: int
    charged_usd: str


Usage = TypedDict(
    "Usage",
    {
        "from": str,
        "to": str,
        "charged_usd": str,
        "usage": List[UsageUsageItem],
    },
)


class _WalletRequired(TypedDict):
    available_usd: Union[str, None]


class Wallet(_WalletRequired, total=False):
    balance_usd: str
    held_usd: str
    cap_usd: Union[str, None]
    spent_usd: str


class WorkerListWorkersItem(TypedDict):
    name: str
    last_seen_at: str
    jobs: List[str]


class WorkerList(TypedDict):
    workers: List[WorkerListWorkersItem]


class UploadList(TypedDict):
    uploads: List[ListedUpload]
    next_cursor: Union[str, None]


class _JobOutputRequired(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]


class JobOutput(_JobOutputRequired, total=False):
    result: Union[BackgroundRemoval, Moderation, Upscale]
    steps: Dict[str, Dict[str, Any]]
    stopped_by: str
    cached: bool
    items: List[Union[MediaConvertImageItem, RemoveBgItem, ImageModerationItem, ImageOutpaintItem, UpscaleItem, PipelineItem, FailedItem]]


class JobMembersBilling(TypedDict):
    held_usd: str
    charged_usd: str


class _JobMembersRequired(TypedDict):
    request_id: str
    model_id: str
    test: bool
    error: Union[str, None]
    created_at: str
    started_at: Union[str, None]
    updated_at: str
    completed_at: Union[str, None]
    deleted_at: Union[str, None]
    progress: float
    billing: JobMembersBilling
    warnings: List[str]
    engine: Union[str, None]
    engine_licence: Union[str, None]
    code: Union[ErrorCode, None]
    field: Union[str, None]
    output_delivery: List[OutputDelivery]
    receipt: Union[str, None]
    run_on: Literal["service", "own"]
    cached: bool
    reference: Union[str, None]
    metadata: Dict[str, str]


class JobMembers(_JobMembersRequired, total=False):
    fill_quality: Union[float, None]
    steps: List[Dict[str, Any]]


@final
class CompletedJob(JobMembers):
    status: Literal["COMPLETED"]
    output: JobOutput


@final
class OtherJob(JobMembers):
    status: Literal["QUEUED", "PROCESSING", "FAILED", "ERROR"]
    output: Union[JobOutput, None]


#: State of a job: ``status`` tells which.
Job = Union[CompletedJob, OtherJob]


@final
class SpendingEvent(TypedDict):
    type: Literal["account.spending"]
    share: Literal[50, 80, 100]
    spent_usd: str
    cap_usd: str


#: Body of a webhook. ``"type" in event`` tells a SpendingEvent from a job.
WebhookEvent = Union[CompletedJob, OtherJob, SpendingEvent]


class MediaConvertImageBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[MediaConvertImageItem, FailedItem]]


@final
class MediaConvertImageBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: MediaConvertImageBatchOutput


class RemoveBgBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[RemoveBgItem, FailedItem]]


@final
class RemoveBgBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: RemoveBgBatchOutput


class ImageModerationBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[ImageModerationItem, FailedItem]]


@final
class ImageModerationBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: ImageModerationBatchOutput


class ImageOutpaintBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[ImageOutpaintItem, FailedItem]]


@final
class ImageOutpaintBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: ImageOutpaintBatchOutput


class UpscaleBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[UpscaleItem, FailedItem]]


@final
class UpscaleBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: UpscaleBatchOutput


class PipelineBatchOutput(TypedDict):
    media_url: List[str]
    media_type: str
    files: List[ResultFile]
    items: List[Union[PipelineItem, FailedItem]]


@final
class PipelineBatch(JobMembers):
    status: Literal["COMPLETED"]
    output: PipelineBatchOutput


#: Params of an operation: the fields of its request without the input.
Params = Union[
    MediaConvertImageParams,
    RemoveBgParams,
    ImageModerationParams,
    ImageOutpaintParams,
    UpscaleParams,
    AudioDiarizeParams,
    AudioSeparateStemsParams,
    PipelineParams,
]
