// The part of an adapter that is the same for every SDK and every protocol: the life of the process, the order of
// replies, the clocks. It needs dart:async, dart:convert and dart:io only. Replace nothing here.
//
// NOT EXECUTED: the tests of the kit have no Dart SDK. Check this file with 'conform doctor' before you rely on it.
import 'dart:async';
import 'dart:convert';
import 'dart:io';

/// Thrown by a command whose feature the SDK does not have.
class Unsupported implements Exception {
  Unsupported(this.message);

  final String message;
}

/// An error of the SDK. [kind] is one of the protocol's error kinds; [status] is the HTTP status.
class Failed implements Exception {
  Failed(this.kind, {this.status, required this.message});

  final String kind;
  final int? status;
  final String message;
}

/// A command of the protocol. It completes with its result, which JSON can express.
typedef Command<SDK> = FutureOr<Object?> Function(SDK sdk, Map<String, Object?> params, App app);

/// A timer of an app. The SDK runs in a zone of the app, so every Timer and Future.delayed of the SDK is such a timer.
class _AppTimer implements Timer {
  _AppTimer(this.app, this.due, this.period, this.action);

  final App app;
  double due;
  final Duration? period;
  final void Function(Timer timer) action;
  int _count = 0;

  @override
  int get tick => _count;

  @override
  bool get isActive => app._timers.contains(this);

  @override
  void cancel() => app._timers.remove(this);

  void fire() {
    _count += 1;
    final period = this.period;
    if (period == null) {
      app._timers.remove(this);
    } else {
      due += period.inMicroseconds / 1000;
    }
    action(this);
  }
}

class _Advance {
  _Advance(this.id, this.to, this.inFlight);

  final int id;
  final double to;
  final int inFlight;
}

/// The parts that one launch provides to the SDK: storage, clock, seed, callbacks.
class App {
  App._(Map<String, Object?> params, this._host)
      : storage = Directory(params['storage'] as String),
        seed = (params['seed'] as num).toInt(),
        dialect = params['dialect'] as String?,
        environment = params['environment'] as Map<String, Object?> {
    final clock = params['clock'] as Map<String, Object?>;
    _isVirtual = clock['mode'] == 'virtual';
    _epoch = (clock['epoch'] as num).toDouble();
    _scale = clock['mode'] == 'scaled' ? (clock['scale'] as num).toDouble() : 1;
    _zone = Zone.root.fork(
      specification: ZoneSpecification(
        createTimer: (self, parent, zone, delay, action) => _isVirtual
            ? _timer(delay, null, (_) => zone.runGuarded(action))
            : parent.createTimer(zone, delay * (1 / _scale), action),
        createPeriodicTimer: (self, parent, zone, period, action) => _isVirtual
            ? _timer(period, period, (timer) => zone.runUnaryGuarded(action, timer))
            : parent.createPeriodicTimer(zone, period * (1 / _scale), action),
        print: (self, parent, zone, line) => stderr.writeln(line),
        handleUncaughtError: (self, parent, zone, error, trace) => _giveUp('the app died: $error\n$trace'),
      ),
    );
  }

  /// The folder for everything that the SDK persists.
  final Directory storage;

  /// The seed of every random choice of the SDK.
  final int seed;

  /// The dialect that the app is set up for, if the SDK lists several.
  final String? dialect;

  /// Facts about the app's surroundings, by name.
  final Map<String, Object?> environment;

  final _Host _host;
  final _watch = Stopwatch()..start();
  final List<_AppTimer> _timers = [];
  final List<_Advance> _waiting = [];
  late final bool _isVirtual;
  late final double _epoch;
  late final double _scale;
  late final Zone _zone;
  double _elapsed = 0;
  int _requests = 0;
  bool _hasEnded = false;
  bool _isStepping = false;

  /// The wall clock. DateTime.now() is not the app's clock: let the SDK take its time from here.
  DateTime get now {
    final elapsed = _isVirtual ? _elapsed : _watch.elapsedMicroseconds / 1000 * _scale;
    return DateTime.fromMillisecondsSinceEpoch((_epoch + elapsed).floor());
  }

  /// Counts a request for the virtual clock, which waits until its future completes with the whole response.
  Future<T> counted<T>(Future<T> Function() request) async {
    _requests += 1;
    try {
      return await request();
    } finally {
      _requests -= 1;
      _touch();
    }
  }

  /// Reports that the SDK called the callback with this handle.
  void callback(String handle, [Object? value]) {
    if (_hasEnded) return;
    _host.send({
      'method': 'callback',
      'params': {'handle': handle, 'value': value},
    });
  }

  /// A value that an earlier launch with the same storage wrote; null if there is none.
  Object? stored(String name) {
    final file = File('${storage.path}/$name.json');
    return file.existsSync() ? jsonDecode(file.readAsStringSync()) : null;
  }

  /// Writes a value so that it survives a crash of the app: the file has the old text or the new one.
  void store(String name, Object? value) {
    final next = File('${storage.path}/$name.json.new');
    next.writeAsStringSync(jsonEncode(value), flush: true);
    next.renameSync('${storage.path}/$name.json');
  }

  Timer _timer(Duration delay, Duration? period, void Function(Timer) action) {
    final span = delay.isNegative ? 0 : delay.inMicroseconds / 1000;
    final timer = _AppTimer(this, _elapsed + span, period, action);
    if (!_hasEnded) _timers.add(timer);
    _touch();
    return timer;
  }

  /// Checks the clock once all microtasks are done.
  void _touch() {
    if (_isStepping || _waiting.isEmpty) return;
    _isStepping = true;
    Zone.root.createTimer(Duration.zero, () {
      _isStepping = false;
      _step();
    });
  }

  /// Takes one step: fires one timer, or answers commands.
  void _step() {
    if (_waiting.isEmpty) return;
    final last = _waiting.last;
    if (_requests <= last.inFlight) {
      final first = _earliest;
      if (first != null && first.due <= last.to) {
        if (first.due > _elapsed) _elapsed = first.due;
        first.fire();
        return _touch();
      }
      if (last.to > _elapsed) _elapsed = last.to;
    }
    final next = _earliest?.due.ceil();
    final done = _waiting.where((each) => _elapsed >= each.to && _requests <= each.inFlight).toList();
    _waiting.removeWhere(done.contains);
    for (final each in done) {
      _host.settle(each.id, {'next': next});
    }
  }

  _AppTimer? get _earliest =>
      _timers.isEmpty ? null : _timers.reduce((first, timer) => timer.due < first.due ? timer : first);

  void _end() {
    _hasEnded = true;
    _timers.clear();
    _waiting.clear();
  }
}

/// An adapter around an SDK.
class ConformAdapter<SDK> {
  ConformAdapter({
    required this.hello,
    required this.open,
    required this.close,
    required this.failure,
    required this.commands,
  });

  /// The members of the reply to `hello` in addition to `protocolVersion`.
  final Map<String, Object?> hello;

  /// Starts the SDK for one app.
  final SDK Function(App app) open;

  /// Called when the app is closed. The SDK writes its data and ends.
  final void Function(SDK sdk) close;

  /// Describes an error of the SDK.
  final Failed Function(Object error) failure;

  /// A function for each command, by the command's name.
  final Map<String, Command<SDK>> commands;

  /// Serves commands until shutdown or the end of stdin.
  void serve() {
    final host = _AdapterHost<SDK>(this);
    stdin.transform(utf8.decoder).transform(const LineSplitter()).listen(
          (line) => host.receive(jsonDecode(line) as Map<String, Object?>),
          onError: (Object error) => _giveUp('a line of the kit cannot be read: $error'),
          onDone: host.end,
        );
  }
}

/// The parts that an app needs from its process.
abstract class _Host {
  void send(Map<String, Object?> message);
  void settle(int id, Object? result);
}

class _AdapterHost<SDK> implements _Host {
  _AdapterHost(this.adapter);

  final ConformAdapter<SDK> adapter;
  App? app;
  SDK? sdk;
  Set<int> open = {};

  void receive(Map<String, Object?> message) {
    final id = message['id'] as int;
    final params = message['params'] as Map<String, Object?>;
    switch (message['method'] as String) {
      case 'hello':
        reply(id, {'protocolVersion': 1, ...adapter.hello});
      case 'ping':
        reply(id, null);
      case 'launch':
        launch(id, params);
      case 'advance':
        advance(id, params);
      case 'quit':
        leave();
        reply(id, null);
      case 'shutdown':
        leave();
        reply(id, null);
        stdout.flush().then((_) => exit(0));
      case final name:
        perform(id, name, params);
    }
  }

  void launch(int id, Map<String, Object?> params) {
    leave();
    final app = this.app = App._(params, this);
    app._zone.runGuarded(() => sdk = adapter.open(app));
    reply(id, null);
  }

  void advance(int id, Map<String, Object?> params) {
    final app = this.app;
    if (app == null || !app._isVirtual) return refuse(id, 'advance');
    open.add(id);
    app._waiting.add(_Advance(id, (params['to'] as num).toDouble(), (params['inFlight'] as num).toInt()));
    app._touch();
  }

  void perform(int id, String name, Map<String, Object?> params) {
    final command = adapter.commands[name];
    if (command == null) return refuse(id, name);
    final app = this.app;
    if (app == null) return fail(id, Failed('ended', message: 'no app is running'));
    open.add(id);
    app._zone.runGuarded(() async {
      try {
        settle(id, await command(sdk as SDK, params, app));
      } on Unsupported catch (error) {
        if (open.remove(id)) fail(id, Failed('unsupported', message: error.message));
      } on Failed catch (error) {
        if (open.remove(id)) fail(id, error);
      } catch (error) {
        if (open.remove(id)) fail(id, adapter.failure(error));
      }
      app._touch();
    });
  }

  /// Answers a command, unless it was answered when the app ended.
  @override
  void settle(int id, Object? result) {
    if (open.remove(id)) reply(id, result);
  }

  void leave() {
    final app = this.app;
    if (app == null) return;
    app._zone.runGuarded(() => adapter.close(sdk as SDK));
    app._end();
    this.app = null;
    sdk = null;
    for (final id in open) {
      fail(id, Failed('ended', message: 'the app has ended'));
    }
    open = {};
  }

  void end() {
    leave();
    stdout.flush().then((_) => exit(0));
  }

  void reply(int id, Object? result) => send({'id': id, 'result': result});

  void refuse(int id, String name) => send({
        'id': id,
        'error': {'code': -32601, 'message': 'there is no command $name'},
      });

  void fail(int id, Failed error) => send({
        'id': id,
        'error': {
          'code': -32000,
          'message': error.message,
          'data': {'kind': error.kind, if (error.status != null) 'status': error.status},
        },
      });

  @override
  void send(Map<String, Object?> message) => stdout.write('${jsonEncode({'jsonrpc': '2.0', ...message})}\n');
}

Never _giveUp(String reason) {
  stderr.writeln(reason);
  exit(1);
}
